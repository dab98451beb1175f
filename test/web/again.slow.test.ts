import { expect, test } from "vitest";
import { readRequest } from "../../lambda/cli/commands/export.ts";
import { customPeriod } from "../../lambda/core/period.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { readEvent } from "../../lambda/job/lambda/event.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { html } from "../../lambda/pack/report/html.ts";
import { executionInput, readExecutionInput } from "../../lambda/web/hosts/aws/execution-state.ts";
import { createRun } from "../../lambda/web/hosts/local/run-request.ts";
import { readMakeRequest } from "../../lambda/web/make-request-form.ts";
import type { PackDetails } from "../../lambda/web/packs.ts";
import type { MakeRequest } from "../../lambda/web/ports.ts";
import { packPage } from "../../lambda/web/views/pack.ts";
import { makeHistory } from "../emulator/history.ts";
import { makeBench, NOW } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";
import { findPack, storesIn } from "./data/hand-written.ts";

// A version is named after its content. Making a pack again with the same settings, and without new fills,
// gives the same version.

const PERIOD = customPeriod("2026-01-02", "2026-02-01", "Europe/London");
const FROM = NOW - 32 * DAY_MS;
const PAIRS = ["USD", "USDC", "USDT"].flatMap((base) =>
  ["EUR", "GBP"].map((quote) => `2026,${base},${quote},0.8,mine`),
);
const RATES = ["date,base,quote,rate,source", ...PAIRS];
const WATCH = { report: () => undefined, signal: new AbortController().signal };

interface Version {
  readonly period: string;
  readonly version: string;
}

/** The fields that the button on the pack's page posts, as the site reads them. */
function postedBy(pack: PackDetails): MakeRequest {
  const { body } = packPage({
    account: "main",
    pack,
    checks: { files: null, rewalk: null },
    verdict: { ...pack.claim.verdict, points: [{ about: "stale", text: "Fills came late." }] },
    others: [],
    left: 0,
  });
  const [form = ""] = /<form class="start"[\s\S]*?<\/form>/.exec(html`${body}`.markup) ?? [];
  const fields = new URLSearchParams();
  for (const { groups } of form.matchAll(/name="(?<name>\w+)" value="(?<value>[^"]*)"/g)) {
    fields.set(groups?.["name"] ?? "", groups?.["value"] ?? "");
  }
  return readMakeRequest("main", fields, NOW);
}

async function madeHere(job: RunContext, request: MakeRequest): Promise<Version | null> {
  return (await createRun(() => Promise.resolve(job))(request, WATCH)).pack;
}

/** Makes the pack through the function, which gets the execution's input. */
async function madeThere(job: RunContext, request: MakeRequest): Promise<Version> {
  const input = executionInput({ request, startedBy: "ada" });
  expect(readExecutionInput("main", input)).toEqual({ request, startedBy: "ada" });
  const { dir, period } = await exportPack(job, readRequest(readEvent(JSON.parse(input)).given));
  return { period, version: dir?.split("/").at(-1) ?? "" };
}

test.each([
  { method: "average", basis: "fill", currency: null },
  { method: "fifo", basis: "transaction", currency: "EUR" },
  { method: "fifo", basis: "fill", currency: "GBP" },
  { method: "lifo", basis: "transaction", currency: null },
] as const)("made again, a pack is the same, on both hosts: %j", async ({ currency, ...settings }) => {
  const history = makeHistory({ seed: 7, fills: 60, from: FROM, to: NOW });
  const store = memoryStore();
  store.put("main/inputs/rates/mine.csv", Buffer.from(RATES.join("\n")));
  const { job } = makeBench({ history, job: { store } });
  await syncArchive(job, { from: FROM, to: NOW });
  const converted = currency === null ? {} : { currency };
  const given = { period: PERIOD, ...settings, ...converted, isMethodChosen: true, allowIncomplete: false };
  const version = (await exportPack(job, given)).dir?.split("/").at(-1) ?? "";
  const pack = (await findPack(storesIn(store), PERIOD.name, version)) ?? expect.fail("no pack");
  expect(pack.claim).toMatchObject({ ...settings, accounts: { report_currency: currency } });
  const request = postedBy(pack);
  expect(await madeHere(job, request)).toEqual({ period: PERIOD.name, version });
  expect(await madeThere(job, request)).toEqual({ period: PERIOD.name, version });
});
