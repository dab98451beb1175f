import { describe, expect, test } from "vitest";
import { StoppedError } from "../../lambda/errors.ts";
import { syncArchive } from "../../lambda/flow.ts";
import type { Job } from "../../lambda/job.ts";
import { DAY_MS } from "../../lambda/model/time.ts";
import type { Store } from "../../lambda/store/store.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { audit } from "../support/auditor.ts";
import { faultyStore, KilledError, type StoreFate } from "../support/faulty-store.ts";
import { makeBench } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";

const FROM = Date.UTC(2025, 2, 1);
const TO = FROM + 60 * DAY_MS;
const HISTORY = makeHistory({ seed: 3, fills: 400, from: FROM, to: TO });
const SWITCHES = { pageLimit: 20 };

function bench(store: Store, job: Partial<Job> = {}) {
  const emulator = createEmulator({ history: HISTORY, switches: SWITCHES });
  return makeBench({ emulator, job: { store, ...job } });
}

/** An answer can be lost of what writes; a read that fails has failed. */
function suited(fate: StoreFate, method: string): StoreFate {
  const isWrite = method === "createNew" || method === "replaceIf";
  return isWrite || !(fate === "late" || fate.startsWith("lost")) ? fate : "fail-before";
}

async function undisturbed(): Promise<MemoryStore> {
  const store = memoryStore();
  await syncArchive(bench(store).job, { from: FROM, to: TO });
  return store;
}

/** The data of an archive, whatever the runs that made it: parts and their bytes. */
function dataOf(store: MemoryStore): unknown {
  const objects = store.snapshot();
  const read = (key: string) => JSON.parse(new TextDecoder().decode(objects.get(key)));
  const { manifest } = read("main/head.json");
  const { parts, coverage, fills } = read(`main/manifests/${manifest.seq}-${manifest.sha256}.json`);
  return {
    fills,
    coverage,
    parts: parts.map(({ key, sha256, rows }: { key: string; sha256: string; rows: number }) => [key, sha256, rows]),
  };
}

/** Runs until one ends by itself; each run meets the fates that its plan gives. */
async function runThrough(inner: MemoryStore, plans: readonly ((index: number) => StoreFate)[]): Promise<number> {
  // One service and one clock for all runs of a trial: cursors and their ages go on from run to run.
  const { job } = bench(inner);
  for (const plan of [...plans, () => "ok" as const]) {
    const store = faultyStore(inner, ({ index, method }) => suited(plan(index), method));
    try {
      const result = await syncArchive({ ...job, store }, { from: FROM, to: TO });
      await store.settle();
      if (result.complete && plan(-1) === "ok") {
        return store.operations.length;
      }
    } catch (error) {
      if (!(error instanceof KilledError || store.killed)) {
        expect(error).toHaveProperty("kind", "incomplete");
      }
      await store.settle();
    }
    await expectWhole(inner);
  }
  throw new Error("the last run, which nothing disturbed, was not complete");
}

/** What a reader sees between two runs: the old state or the new one, and nothing claimed that is not there. */
async function expectWhole(store: MemoryStore): Promise<void> {
  const head = store.snapshot().get("main/head.json");
  if (head === undefined || JSON.parse(new TextDecoder().decode(head)).manifest === null) {
    return;
  }
  const { lost, doubled, invented } = await audit(store, "main", createEmulator({ history: HISTORY }).truth());
  expect({ lost, doubled, invented }).toEqual({ lost: [], doubled: [], invented: [] });
}

describe("a run that dies at a store operation", () => {
  test("ends, after the next run, in the same bytes as an undisturbed one: every operation, every fate", async () => {
    const expected = dataOf(await undisturbed());
    const operations = await runThrough(memoryStore(), []);
    expect(operations).toBeGreaterThan(8);
    const fates: readonly StoreFate[] = [
      "kill-before",
      "kill-after",
      "fail-before",
      "lost-before",
      "lost-after",
      "late",
    ];
    for (const fate of fates) {
      for (let at = 0; at < operations; at += 1) {
        const store = memoryStore();
        await runThrough(store, [(index) => (index === at ? fate : "ok")]);
        expect(dataOf(store), `${fate} at operation ${at}`).toEqual(expected);
      }
    }
  });

  test("and dies again in the run after it: every pair", async () => {
    const expected = dataOf(await undisturbed());
    const operations = await runThrough(memoryStore(), []);
    for (let first = 0; first < operations; first += 1) {
      for (let second = 0; second < operations; second += 2) {
        const store = memoryStore();
        const kill = (at: number) => (index: number) => (index === at ? ("kill-after" as const) : ("ok" as const));
        await runThrough(store, [kill(first), kill(second)]);
        expect(dataOf(store), `killed at ${first}, then at ${second}`).toEqual(expected);
      }
    }
  });
});

describe("runs at once", () => {
  test("three that start together: nothing lost, nothing doubled, one lineage", async () => {
    const store = memoryStore();
    const emulator = createEmulator({ history: HISTORY, switches: { ...SWITCHES, latency: { ms: 50, jitterMs: 20 } } });
    const first = makeBench({ emulator, job: { store, holder: "a:1:a", isDead: () => false } });
    const others = ["b:2:b", "c:3:c"].map((holder, index) => ({
      ...first.job,
      holder,
      random: { next: () => 0.5, id: countedIds(index) },
    }));
    const results = await Promise.all([first.job, ...others].map((job) => syncArchive(job, { from: FROM, to: TO })));
    expect(results.map(({ complete }) => complete)).toEqual([true, true, true]);
    expect(results.reduce((sum, { added }) => sum + added, 0)).toBe(HISTORY.count);
    expect(dataOf(store)).toEqual(dataOf(await undisturbed()));
  });

  test("one that slept past its lease is fenced by the one that took over", async () => {
    const store = memoryStore();
    const emulator = createEmulator({ history: HISTORY, switches: SWITCHES });
    const asleep = new AbortController();
    const { job, clock } = makeBench({ emulator, job: { store, holder: "a:1:a", isDead: () => false } });
    // The first run stops in front of its second page and does not even write heartbeats: a process that is suspended.
    let pages = 0;
    const suspended: Job = {
      ...job,
      clock: { ...clock, now: () => clock.now(), monotonic: () => 0, sleep: (_, signal) => never(signal) },
      reader: {
        ...job.reader,
        completedOrders: async (request, signal) => {
          pages += 1;
          if (pages === 2) {
            await never(asleep.signal).catch(() => undefined);
          }
          return await job.reader.completedOrders(request, signal);
        },
      },
    };
    const stale = syncArchive(suspended, { from: FROM, to: TO });
    const other = { ...job, holder: "b:2:b", random: { next: () => 0.5, id: countedIds(9) } };
    const winner = await syncArchive(other, { from: FROM, to: TO });
    expect(winner.complete).toBe(true);
    asleep.abort();
    const loser = await stale;
    expect(loser.complete).toBe(false);
    expect(loser.problem?.message).toContain("taken over");
    expect(dataOf(store)).toEqual(dataOf(await undisturbed()));
  });
});

function countedIds(run: number): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `run-${run}-${count}`;
  };
}

function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(new StoppedError()), { once: true });
  });
}
