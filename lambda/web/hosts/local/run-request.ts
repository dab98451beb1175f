import { defaultMethod, METHODS } from "../../../accounting/method.ts";
import { FillbookError } from "../../../core/errors.ts";
import { counted } from "../../../core/text.ts";
import type { RunContext } from "../../../job/context.ts";
import { exportPack } from "../../../job/export-pack.ts";
import { syncArchive } from "../../../job/sync-archive.ts";
import { verifyArchive } from "../../../job/verify.ts";
import { basisOf, periodOf } from "../../make-request-form.ts";
import { sentenceOf } from "../../page-words.ts";
import type { MakeRequest } from "../../ports.ts";
import type { JobEnd, Run } from "./local-jobs.ts";

/** Runs the page's requests, each with a run context of its own. */
export function createRun(jobOf: (account: string, report: RunContext["report"]) => Promise<RunContext>): Run {
  return async (request, { report, signal }) => {
    const own = await jobOf(request.account, report);
    const job = { ...own, signal: AbortSignal.any([own.signal, signal]) };
    return await RUNS[request.kind](job, request);
  };
}

type RunOne = (job: RunContext, request: MakeRequest) => Promise<JobEnd>;

const RUNS: Readonly<Record<MakeRequest["kind"], RunOne>> = { export: runExport, sync: runSync, verify: runVerify };

async function runExport(job: RunContext, request: MakeRequest): Promise<JobEnd> {
  const period = periodOf(request);
  const method = METHODS.find((name) => name === (request.method ?? defaultMethod(period.name)));
  if (method === undefined) {
    throw new FillbookError("fault", `no method: ${request.method}`);
  }
  const { currency } = request;
  const { dir, notes, problem } = await exportPack(job, {
    period,
    method,
    isMethodChosen: request.method !== undefined,
    basis: basisOf(request.basis),
    ...(currency === undefined ? {} : { currency }),
    allowIncomplete: false,
  });
  const version = dir?.slice(dir.lastIndexOf("/") + 1);
  return {
    note: ["The pack is ready.", ...notes.map(sentenceOf)].join(" "),
    pack: version === undefined ? null : { period: period.name, version },
    problem,
  };
}

async function runSync(job: RunContext): Promise<JobEnd> {
  const { fills, added, restated, problem } = await syncArchive(job, {});
  const note = `${counted(fills, "fill")} in the archive: ${counted(added, "fill")} added, ${restated} restated.`;
  return { note, pack: null, problem };
}

const FINDINGS_SHOWN = 3;

async function runVerify(job: RunContext): Promise<JobEnd> {
  const { ok, checked, findings } = await verifyArchive(job, { rewalk: false });
  const shown = findings.slice(0, FINDINGS_SHOWN).join("; ");
  return {
    note: `${counted(checked, "object")} checked. All are unchanged.`,
    pack: null,
    problem: ok
      ? null
      : new FillbookError("untrusted", `${counted(findings.length, "finding")}: ${shown}`, {
          hint: "restore the named files from a copy, and check the archive again",
        }),
  };
}
