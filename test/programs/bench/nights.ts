import { DAY_MS, SECOND_MS } from "../../../lambda/core/time.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { createEmulator } from "../../emulator/core.ts";
import { historyItems, historyOf, makeHistory } from "../../emulator/history.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { countingStore, type StoreCounts } from "./counting-store.ts";

/** The exact cost of one run. It is reproducible: the account comes from a seed and time is virtual. */
export interface RunCost {
  readonly added: number;
  /** requests to the service */
  readonly requests: number;
  readonly store: StoreCounts;
}

export interface Nights {
  /** The run that reads the account's whole history from nothing. */
  readonly first: RunCost;
  /** The later runs, a day apart. */
  readonly nights: readonly RunCost[];
  /** Objects in the store at the end, by kind. */
  readonly objects: Readonly<Record<string, number>>;
}

export interface NightsPlan {
  /** Fills in the year before the first run. */
  readonly fills: number;
  /** New fills before each night. */
  readonly addedANight: number;
  readonly nights: number;
}

/** The defaults of the settings. */
const SETTLE_LAG_MS = 300 * SECOND_MS;
const LOOK_BACK_MS = 7 * DAY_MS;
const FROM = Date.UTC(2025, 1, 1);

/**
 * Syncs an account from nothing and then every night, with default settings. Its fills continue until one
 * hour before the first run.
 */
export async function runNights({ fills, addedANight, nights }: NightsPlan): Promise<Nights> {
  const before = makeHistory({ seed: 1, fills, from: FROM, to: NOW - 3600 * SECOND_MS });
  const after = Array.from({ length: addedANight === 0 ? 0 : nights }, (_, night) => {
    const from = NOW + night * DAY_MS;
    return [...historyItems(makeHistory({ seed: 2 + night, fills: addedANight, from, to: from + DAY_MS / 2 }))];
  });
  const emulator = createEmulator({ history: historyOf([...historyItems(before), ...after.flat()]) });
  const { job, clock } = makeBench({ emulator, job: { settleLagMs: SETTLE_LAG_MS, lookBackMs: LOOK_BACK_MS } });
  const memory = memoryStore("memory", () => clock.now());
  const run = async (): Promise<RunCost> => {
    const { store, counts } = countingStore(memory);
    const requests = job.reader.counts.requests;
    const result = await syncArchive({ ...job, store }, {});
    if (!result.complete) {
      throw new Error("a run is not complete", { cause: result.problem });
    }
    return { added: result.added, requests: result.requests - requests, store: counts };
  };
  const first = await run();
  const costs: RunCost[] = [];
  for (let night = 0; night < nights; night += 1) {
    await clock.sleep(DAY_MS);
    costs.push(await run());
  }
  const objects: Record<string, number> = {};
  for (const key of memory.snapshot().keys()) {
    const kind = key.split("/")[1] ?? "";
    objects[kind] = (objects[kind] ?? 0) + 1;
  }
  return { first, nights: costs, objects };
}

/** Requests to the store that S3 charges for. A deletion is free. */
export function storeRequests({ writes, reads, lists }: StoreCounts): number {
  return writes + reads + lists;
}

/** Two weeks include everything that a night does only occasionally. */
const NIGHTS = 14;

/**
 * The first run; the minimum, median and maximum of the nights after it; and the means of the second week,
 * which are typical of a year.
 */
export async function countNights(fills: number, addedANight: number): Promise<Record<string, number>> {
  const { first, nights } = await runNights({ fills, addedANight, nights: NIGHTS });
  const week = nights.slice(-7);
  const mean = (of: (run: RunCost) => number) => week.reduce((sum, run) => sum + of(run), 0) / week.length;
  const sorted = nights.map(({ store }) => storeRequests(store)).sort((a, b) => a - b);
  return {
    firstRequests: first.requests,
    firstStoreRequests: storeRequests(first.store),
    firstBytes: first.store.bytesOut,
    leastStoreRequests: sorted[0] ?? Number.NaN,
    middleStoreRequests: sorted[NIGHTS >> 1] ?? Number.NaN,
    mostStoreRequests: sorted.at(-1) ?? Number.NaN,
    requests: mean((run) => run.requests),
    reads: mean(({ store }) => store.reads),
    writes: mean(({ store }) => store.writes),
    lists: mean(({ store }) => store.lists),
    bytes: mean(({ store }) => store.bytesOut),
    rawResponsesBytes: mean(({ store }) => store.written["pages"]?.bytes ?? 0),
  };
}
