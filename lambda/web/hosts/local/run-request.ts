import { defaultMethod, METHODS } from "../../../accounting/method.ts";
import { FillbookError } from "../../../core/errors.ts";
import { counted, listed } from "../../../core/text.ts";
import type { RunContext } from "../../../job/context.ts";
import { exportPack } from "../../../job/export-pack.ts";
import { syncArchive } from "../../../job/sync-archive.ts";
import { verifyArchive } from "../../../job/verify.ts";
import { basisOf, periodOf } from "../../make-request-form.ts";
import type { MakeRequest } from "../../ports.ts";
import { doneNote } from "../../words.ts";
import type { JobEnd, Run } from "./local-jobs.ts";

/** Runs the page's requests, each with a run context of its own. */
export function createRun(jobOf: (account: string, report: RunContext["report"]) => Promise<RunContext>): Run {
  return async (request, { report, signal }) => {
    const own = await jobOf(request.account, report);
    const job = { ...own, signal: AbortSignal.any([own.signal, signal]) };
    return await RUNS[request.kind](job, request);
  };
}

const FINDINGS_SHOWN = 3;

const RUNS: Readonly<Record<MakeRequest["kind"], (job: RunContext, request: MakeRequest) => Promise<JobEnd>>> = {
  async export(job, request) {
    const period = periodOf(request);
    const method = METHODS.find((name) => name === (request.method ?? defaultMethod(period.name)));
    if (method === undefined) {
      throw new FillbookError("fault", `no method: ${request.method}`);
    }
    const { currency } = request;
    const { dir, notes, problem } = await exportPack(job, {
      ...{ period, method, isMethodChosen: request.method !== undefined, basis: basisOf(request.basis) },
      ...(currency === undefined ? {} : { currency }),
      allowIncomplete: false,
    });
    const version = dir?.slice(dir.lastIndexOf("/") + 1);
    const pack = version === undefined ? null : { period: period.name, version };
    return { note: doneNote("export", {}, notes), pack, problem };
  },

  async sync(job) {
    const result = await syncArchive(job, {});
    return { note: doneNote("sync", { ...result }), pack: null, problem: result.problem };
  },

  async verify(job) {
    const { ok, findings, checked } = await verifyArchive(job, { rewalk: false, groups: true });
    const found = `${counted(findings.length, "finding")}: ${listed(findings, FINDINGS_SHOWN, "; ")}`;
    const hint = "restore the named files from a copy, and check the archive again";
    const problem = ok ? null : new FillbookError("untrusted", found, { hint });
    return { note: doneNote("verify", { checked }), pack: null, problem };
  },
};
