import { expect, test } from "vitest";
import { customPeriod } from "../../lambda/core/period.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export.ts";
import { syncArchive } from "../../lambda/job/sync.ts";
import { makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import { FILES } from "../pack/pack.ts";
import { makeBench, NOW } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";

const PERIOD = customPeriod("2025-11-15", "2026-01-20", "America/New_York");
const REQUEST = { period: PERIOD, method: "average", basis: "fill", allowIncomplete: false } as const;
const HISTORY = makeHistory({ seed: 41, fills: 3000, from: NOW - 100 * DAY_MS, to: NOW });

interface Way {
  readonly job?: Partial<RunContext>;
  readonly switches?: Partial<Switches>;
  /** Pages after which the run is asked to stop, and run again. */
  readonly stopAfter?: number;
  /** Ranges that are walked first, in days before now. */
  readonly first?: readonly (readonly [from: number, to: number])[];
}

/** All objects of the period's packs, by key. */
async function packBy({ job = {}, switches = {}, stopAfter, first = [] }: Way) {
  const store = memoryStore();
  const bench = makeBench({ history: HISTORY, switches, job: { store, ...job } });
  for (const [from, to] of first) {
    await syncArchive(bench.job, { from: NOW - from * DAY_MS, to: NOW - to * DAY_MS });
  }
  if (stopAfter !== undefined) {
    const stop = new AbortController();
    const report: RunContext["report"] = ({ pages }) => {
      if (pages >= stopAfter) {
        stop.abort();
      }
    };
    const stopped = await exportPack({ ...bench.job, signal: stop.signal, report }, REQUEST);
    expect(stopped).toMatchObject({ complete: false, dir: null });
  }
  expect(await exportPack(bench.job, REQUEST)).toMatchObject({ complete: true, problem: null });
  return new Map([...store.snapshot()].filter(([key]) => key.startsWith("main/packs/")));
}

test.each<[string, Way]>([
  ["one chain at a time", { job: { concurrency: 1 } }],
  ["sixteen at once", { job: { concurrency: 16 } }],
  [
    "sixteen at once, answers at different times",
    { job: { concurrency: 16 }, switches: { latency: { ms: 20, jitterMs: 900 } } },
  ],
  ["small pages, without order", { switches: { pageLimit: 10, order: "unordered" } }],
  ["cursors that die young", { switches: { pageLimit: 10, cursorLifetimePages: 3 } }],
  ["stopped in the middle, and run again", { switches: { pageLimit: 10 }, stopAfter: 40 }],
  [
    "in pieces, before",
    {
      first: [
        [60, 55],
        [31, 20],
        [70, 40],
      ],
    },
  ],
])("the same fills give the same pack, byte by byte, whatever the walk did: %s", async (_, way) => {
  const plain = await packBy({});
  expect(plain.size).toBe(FILES.length + 1);
  expect(await packBy(way)).toEqual(plain);
});
