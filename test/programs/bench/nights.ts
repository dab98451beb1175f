import { DAY_MS, SECOND_MS } from "../../../lambda/core/time.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { createEmulator } from "../../emulator/core.ts";
import { historyItems, historyOf, makeHistory } from "../../emulator/history.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { countingStore, type StoreCounts } from "./counting-store.ts";

/** What one run asked for: exact, from a seed and virtual time. */
export interface RunCost {
  readonly added: number;
  /** to the service */
  readonly requests: number;
  readonly store: StoreCounts;
}

export interface Nights {
  /** From nothing to the account's whole history. */
  readonly first: RunCost;
  /** A day apart, after the first. */
  readonly nights: readonly RunCost[];
  /** Objects in the store at the end, by kind. */
  readonly objects: Readonly<Record<string, number>>;
}

export interface NightsPlan {
  /** Of the year before the first run. */
  readonly fills: number;
  /** New ones before each night. */
  readonly addedANight: number;
  readonly nights: number;
}

/** The settings' defaults. */
const SETTLE_LAG_MS = 300 * SECOND_MS;
const LOOK_BACK_MS = 7 * DAY_MS;
const FROM = Date.UTC(2025, 1, 1);

/**
 * An account that is synced from nothing, and then every night, with default settings. Its fills go on to the
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

/** Requests to the store that are paid for; a removal is free. */
export function storeRequests({ writes, reads, lists }: StoreCounts): number {
  return writes + reads + lists;
}

/** Two weeks, so that each thing a night does now and then is in them. */
const NIGHTS = 14;

/**
 * The first run, and of the nights after it the least, the middle and the most; and the means of the second
 * week, which stand for a year.
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
