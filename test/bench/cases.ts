import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readHead } from "../../lambda/archive/head.ts";
import { readPart } from "../../lambda/archive/parts.ts";
import { loadManifest } from "../../lambda/archive/read.ts";
import { readRestatements } from "../../lambda/archive/restatements.ts";
import { systemClock } from "../../lambda/clock.ts";
import { syncArchive } from "../../lambda/flow/sync.ts";
import type { Job } from "../../lambda/job.ts";
import { customPeriod } from "../../lambda/model/period.ts";
import { writePack } from "../../lambda/pack/publish.ts";
import { systemRandom } from "../../lambda/random.ts";
import { openFolderStore } from "../../lambda/store/folder.ts";
import { makeHistory } from "../emulator/history.ts";
import { NO_INPUTS } from "../pack/inputs.ts";
import { makeBench } from "../support/job.ts";
import { AccountFile, accountReader, type Stopwatch, writeAccount, YEAR } from "./account-file.ts";
import { countingStore, type StoreCounts } from "./counting-store.ts";

/** What is measured, each in a process of its own. */
export const CASES = {
  prepare: prepareAccount,
  parse: parsePages,
  archive: makeArchive,
  pack: makePack,
  requests: countRequests,
} as const;

export type CaseName = keyof typeof CASES;

export interface CaseInput {
  /** Holds the account's pages, and the archive once it is made. */
  readonly dir: string;
  readonly fills: number;
}

export interface CaseResult {
  /** user + system, without what making the pages took. */
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  /** Of the whole process: its largest resident set. */
  readonly peakBytes: number;
  readonly store: StoreCounts;
  /** Files of the pack, or requests, by name. */
  readonly facts: Readonly<Record<string, number>>;
}

interface Measured {
  readonly store?: StoreCounts;
  readonly facts?: Readonly<Record<string, number>>;
}

const ACCOUNT = "main";

export async function runCase(name: CaseName, input: CaseInput): Promise<CaseResult> {
  const pages: Stopwatch = { cpuMicros: 0 };
  const wall = performance.now();
  const before = process.cpuUsage();
  const { store, facts } = await CASES[name](input, pages);
  const { user, system } = process.cpuUsage(before);
  return {
    cpuSeconds: (user + system - pages.cpuMicros) / 1e6,
    wallSeconds: (performance.now() - wall) / 1000,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    store: store ?? { writes: 0, bytesOut: 0, reads: 0, bytesIn: 0 },
    facts: facts ?? {},
  };
}

function prepareAccount({ dir, fills }: CaseInput): Measured {
  mkdirSync(dir, { recursive: true });
  writeAccount(dir, fills);
  return {};
}

/** The unit: nothing but JSON.parse of the pages that the walk reads. */
function parsePages({ dir }: CaseInput, pages: Stopwatch): Measured {
  const account = new AccountFile(dir);
  let rows = 0;
  for (let place = 0; place < account.rows; place += 100) {
    const before = process.cpuUsage();
    const body = account.body({ start: String(place) });
    const { user, system } = process.cpuUsage(before);
    pages.cpuMicros += user + system;
    rows += JSON.parse(body).completedOrders.length;
  }
  return { facts: { rows } };
}

async function makeArchive({ dir, fills }: CaseInput, pages: Stopwatch): Promise<Measured> {
  rmSync(join(dir, "store"), { recursive: true, force: true });
  const { store, counts } = countingStore(openFolderStore(join(dir, "store")));
  const reader = accountReader(new AccountFile(dir), pages);
  const result = await syncArchive(jobOf({ store, reader }), YEAR);
  if (!result.complete || result.fills !== fills) {
    throw new Error(`the archive holds ${result.fills} of ${fills} fills`, { cause: result.problem });
  }
  return { store: counts, facts: { requests: result.requests, manifests: result.manifest?.seq ?? 0 } };
}

async function makePack({ dir }: CaseInput): Promise<Measured> {
  rmSync(join(dir, "store", ACCOUNT, "packs"), { recursive: true, force: true });
  const { store, counts } = countingStore(openFolderStore(join(dir, "store")));
  const held = await readHead(store, ACCOUNT);
  const pack = await writePack({
    store,
    packStore: store,
    account: ACCOUNT,
    manifest: await loadManifest(store, ACCOUNT, held?.head ?? null),
    period: customPeriod("2025-01-01", "2026-01-01"),
    method: "fifo",
    basis: "fill",
    currency: null,
    inputs: NO_INPUTS,
    contractTypes: new Map(),
    beginning: 0,
    allowIncomplete: false,
    readPart: (part) => readPart(store, part),
    readRestatements: (file) => readRestatements(store, file),
  });
  const facts = Object.fromEntries(pack.files.map(({ path, bytes }) => [path, bytes]));
  return { store: counts, facts };
}

/** A year of fills from the emulator itself, under its default switches: with the year's first day given, and without. */
async function countRequests({ fills }: CaseInput): Promise<Measured> {
  const count = async (from?: number) => {
    const { job } = makeBench({ history: makeHistory({ seed: 1, fills, ...YEAR }) });
    return (await syncArchive(job, from === undefined ? {} : { from })).requests;
  };
  return { facts: { withFrom: await count(YEAR.from), withoutFrom: await count(), fills } };
}

function jobOf({ store, reader }: Pick<Job, "store" | "reader">): Job {
  return {
    account: ACCOUNT,
    reader,
    store,
    packStore: null,
    clock: systemClock,
    random: systemRandom,
    holder: `bench:${process.pid}:1`,
    isDead: () => false,
    settleLagMs: 0,
    lookBackMs: 0,
    partLists: false,
    concurrency: 4,
    signal: new AbortController().signal,
    report: () => undefined,
  };
}
