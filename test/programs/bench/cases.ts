import { mkdirSync } from "node:fs";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { makeHistory } from "../../emulator/history.ts";
import { makeBench } from "../../support/job.ts";
import { writeAccount, YEAR } from "./account-file.ts";
import { makeArchive, makePack, makeTables } from "./archive.ts";
import type { Case, CaseInput, CaseResult, Measured } from "./case.ts";
import { historyOfYears } from "./history.ts";
import { Meter } from "./meter.ts";
import { countNights } from "./nights.ts";
import { writeLines } from "./peers/lines.ts";
import { decodePages, encodeDataFiles, parsePages } from "./stages.ts";

/**
 * All measurements. A library that fillbook does not use is imported only by the case that needs it, because
 * it would count as fillbook's memory.
 */
export const CASES = {
  prepare: prepareAccount,
  parse: parsePages,
  decode: decodePages,
  parquet: encodeDataFiles,
  archive: makeArchive,
  tables: makeTables,
  pack: makePack,
  process: async (input) => (await import("./end-to-end.ts")).syncProcess(input),
  requests: countRequests,
  "nights-0": nightsOf(0),
  "nights-10": nightsOf(10),
  "nights-1000": nightsOf(1000),
  "history-1": historyOfYears(1),
  "history-3": historyOfYears(3),
  lines: writeLines,
  "duckdb-parquet": async (input) => (await import("./peers/duckdb.ts")).duckdbParquet(input),
  "duckdb-archive": async (input, meter) => (await import("./peers/duckdb.ts")).duckdbArchive(input, meter),
  plain: async (input, meter) => (await import("./peers/plain.ts")).plainLoop(input, meter),
} as const satisfies Readonly<Record<string, Case>>;

export type CaseName = keyof typeof CASES;

export async function runCase(name: CaseName, input: CaseInput): Promise<CaseResult> {
  const meter = new Meter();
  const wall = performance.now();
  const measured: Measured = await CASES[name](input, meter);
  const { cpuSeconds } = meter;
  return {
    cpuSeconds,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    ...measured.process,
    wallSeconds: (performance.now() - wall) / 1000,
    store: measured.store ?? null,
    facts: measured.facts ?? {},
    ...(measured.missing === undefined ? {} : { missing: measured.missing }),
  };
}

function prepareAccount({ dir, fills }: CaseInput): Measured {
  mkdirSync(dir, { recursive: true });
  writeAccount(dir, fills);
  return {};
}

/**
 * A year of fills from the emulator itself, with its default switches: once with the year's first day as
 * `from`, and once without.
 */
async function countRequests({ fills }: CaseInput): Promise<Measured> {
  const count = async (from?: number) => {
    const { job } = makeBench({ history: makeHistory({ seed: 1, fills, ...YEAR }) });
    return (await syncArchive(job, from === undefined ? {} : { from })).requests;
  };
  return { facts: { withFrom: await count(YEAR.from), withoutFrom: await count() } };
}

function nightsOf(addedANight: number): Case {
  return async ({ fills }) => ({ facts: await countNights(fills, addedANight) });
}
