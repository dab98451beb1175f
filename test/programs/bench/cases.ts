import { mkdirSync } from "node:fs";
import { AccountFile, pageBodies, writeAccount } from "./account-file.ts";
import { makeArchive, makePack, makeTable, makeTables, readAgain } from "./archive.ts";
import type { StoreCounts } from "./counting-store.ts";
import { Meter } from "./meter.ts";

export interface CaseInput {
  /** The folder with the account's pages, and with the archive once it is made. */
  readonly dir: string;
  readonly fills: number;
}

export interface Measured {
  readonly store?: StoreCounts;
  /** The cost of a process that this one started. If absent, this process is measured. */
  readonly process?: { readonly cpuSeconds: number; readonly peakBytes: number };
}

export interface CaseResult {
  /** user + system, all threads */
  readonly cpuSeconds: number;
  /** maximum resident set */
  readonly peakBytes: number;
  readonly store: StoreCounts | null;
}

/** One measurement each, in its own process. */
export const CASES = {
  prepare: ({ dir, fills }: CaseInput): Measured => {
    mkdirSync(dir, { recursive: true });
    writeAccount(dir, fills);
    return {};
  },
  /** The unit P: only JSON.parse of the pages. */
  parse: ({ dir }: CaseInput, meter: Meter): Measured => {
    for (const body of pageBodies(new AccountFile(dir), meter)) {
      JSON.parse(body);
    }
    return {};
  },
  archive: makeArchive,
  table: makeTable,
  again: readAgain,
  tables: makeTables,
  pack: makePack,
  process: async (input: CaseInput) => (await import("./end-to-end.ts")).syncProcess(input), // not in the bundle
} as const;

export type CaseName = keyof typeof CASES;

export async function runCase(name: CaseName, input: CaseInput): Promise<CaseResult> {
  const meter = new Meter();
  const measured = await CASES[name](input, meter);
  const { cpuSeconds } = meter;
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  return { cpuSeconds, peakBytes, ...measured.process, store: measured.store ?? null };
}
