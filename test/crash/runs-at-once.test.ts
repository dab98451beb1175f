import { describe, expect, test } from "vitest";
import { StoppedError } from "../../lambda/core/errors.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { makeBench } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { dataOf } from "./subject.ts";

const FROM = Date.UTC(2025, 2, 1);
const TO = FROM + 60 * DAY_MS;
const HISTORY = makeHistory({ seed: 3, fills: 400, from: FROM, to: TO });
const SWITCHES = { pageLimit: 20 };

function bench(store: Store, job: Partial<RunContext> = {}) {
  const emulator = createEmulator({ history: HISTORY, switches: SWITCHES });
  return makeBench({ emulator, job: { store, ...job } });
}

async function undisturbed(): Promise<MemoryStore> {
  const store = memoryStore();
  await syncArchive(bench(store).job, { from: FROM, to: TO });
  return store;
}

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
    expect(await dataOf(store)).toEqual(await dataOf(await undisturbed()));
  });

  test("one that slept past its lease is fenced by the one that took over", async () => {
    const store = memoryStore();
    const emulator = createEmulator({ history: HISTORY, switches: SWITCHES });
    const asleep = new AbortController();
    const { job, clock } = makeBench({ emulator, job: { store, holder: "a:1:a", isDead: () => false } });
    // The first run stops once it has taken the archive, and does not even write heartbeats: a process that is suspended.
    let writes = 0;
    const suspended: RunContext = {
      ...job,
      clock: { ...clock, now: () => clock.now(), monotonic: () => 0, sleep: (_, signal) => never(signal) },
      store: {
        ...store,
        createNew: async (key, body) => {
          writes += 1;
          if (writes === 1) {
            await never(asleep.signal).catch(() => undefined);
          }
          return await store.createNew(key, body);
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
    expect(await dataOf(store)).toEqual(await dataOf(await undisturbed()));
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
