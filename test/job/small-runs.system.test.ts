import { describe, expect, test } from "vitest";
import { FencedError } from "../../lambda/archive/head.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { RunContext, SyncResult } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { sleepingStore } from "../crash/around-store.ts";
import { createEmulator } from "../emulator/core.ts";
import { type History, historyOf, makeHistory } from "../emulator/history.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { type Bench, KNOWN_TRADER, makeBench, NOW } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { readCurrent } from "../support/published.ts";

// Two runs at the same time that have little or nothing to write.

const FROM = NOW - 60 * DAY_MS;
/** Fills until a day before the first run, then none for a while, then ten. */
const EARLY = makeHistory({ seed: 12, fills: 600, from: FROM, to: NOW - DAY_MS, ties: 0 });
const LATER = makeHistory({ seed: 13, fills: 10, from: NOW + 1.5 * DAY_MS, to: NOW + 1.6 * DAY_MS, ties: 0 });

function itemsOf(history: History) {
  return Array.from({ length: history.count }, (_, index) => history.item(index));
}

const HISTORY = historyOf([...itemsOf(EARLY), ...itemsOf(LATER)]);

/** An archive after that many nights. The last look-back was in the last night. */
async function grown(nights = 1): Promise<Bench & { readonly store: MemoryStore }> {
  const clock = { now: () => NOW };
  const store = memoryStore("memory", () => clock.now());
  const bench = makeBench({ history: HISTORY, job: { lookBackMs: 7 * DAY_MS, owner: KNOWN_TRADER, store } });
  clock.now = () => bench.clock.now();
  expect(await syncArchive(bench.job, { from: FROM })).toMatchObject({ complete: true });
  for (let night = 0; night < nights; night += 1) {
    await bench.clock.sleep(DAY_MS);
    expect(await syncArchive(bench.job, { from: FROM })).toMatchObject({ complete: true });
  }
  return { ...bench, store };
}

async function expectTruth({ store, emulator, clock }: Bench & { readonly store: Store }): Promise<void> {
  expect(await audit(store, "main", emulator.truth(clock.now()))).toMatchObject(SOUND);
}

describe("two runs at once, one of them asleep", () => {
  /**
   * One run sleeps before (`at` even) or after (`at` odd) one of its operations, while another run starts and
   * ends.
   */
  async function meet(bench: Bench & { readonly store: MemoryStore }, at: number, more: Partial<RunContext>) {
    let other: SyncResult | null = null;
    const { store } = sleepingStore(bench.store, at, async () => {
      other = await syncArchive({ ...bench.job, ...more }, { from: FROM });
    });
    const sleeper = await syncArchive({ ...bench.job, store }, { from: FROM });
    return { sleeper, other: other as SyncResult | null };
  }

  test.each([
    ["nothing new", DAY_MS / 4, 0],
    ["ten fills", DAY_MS, 10],
  ])("both find %s: the other is complete, and the sleeper is, too, or is fenced", async (_, later, added) => {
    let complete = 0;
    let fenced = 0;
    for (let at = 0, isThere = true; isThere; at += 1) {
      const bench = await grown();
      await bench.clock.sleep(later);
      const { sleeper, other } = await meet(bench, at, {});
      isThere = other !== null;
      if (other !== null) {
        expect(other, `asleep at ${at}`).toMatchObject({ complete: true, problem: null });
        complete += sleeper.complete ? 1 : 0;
        fenced += sleeper.problem instanceof FencedError ? 1 : 0;
        expect(sleeper.complete).toBe(sleeper.problem === null);
      }
      await expectTruth(bench);
      expect((await readCurrent(bench.store, "main")).dataFiles.reduce((sum, { fills }) => sum + fills, 0)).toBe(
        600 + added,
      );
      const next = await syncArchive(bench.job, { from: FROM });
      expect(next).toMatchObject({ complete: true, problem: null, added: 0 });
    }
    expect(complete).toBeGreaterThan(0);
    expect(fenced).toBeGreaterThan(0);
  });

  test("keep the other run's change of a fill: the first run does not undo it", async () => {
    const items = itemsOf(HISTORY).map((item, index) => (index === 595 ? { ...item, fees: "77.5" } : item));
    const changed = makeBench({ emulator: createEmulator({ history: historyOf(items) }) }).job.reader;
    for (const at of [1, 2]) {
      const bench = await grown();
      await bench.clock.sleep(DAY_MS);
      const { other } = await meet(bench, at, { reader: changed });
      expect(other).toMatchObject({ complete: true });
      // Both versions are kept, even though the first run's service does not show the change.
      expect((await readCurrent(bench.store, "main")).restatements.length).toBeGreaterThanOrEqual(1);
    }
  });
});
