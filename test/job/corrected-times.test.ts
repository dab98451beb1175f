import { expect, test } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { createEmulator } from "../emulator/core.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { makeBench, NOW } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2025, 3, 1);
const HISTORY = makeHistory({ seed: 9, fills: 300, from: FROM, to: TO, ties: 0 });
const ITEMS = Array.from({ length: HISTORY.count }, (_, index) => HISTORY.item(index));
function benchOf(store: MemoryStore, items: readonly CompletedOrder[]) {
  const history = historyOf(items.toSorted((a, b) => a.txCreated - b.txCreated));
  const emulator = createEmulator({ history });
  return {
    emulator,
    job: makeBench({ emulator, job: { store, lookBackMs: 1000 * DAY_MS, alwaysLooksBack: true } }).job,
  };
}

function at(index: number): CompletedOrder {
  const item = ITEMS[index];
  if (item === undefined) {
    throw new RangeError(`no item ${index}`);
  }
  return item;
}

test.each([
  ["of all up to now", undefined],
  ["of one range, as an export asks for", NOW + DAY_MS - 1],
])(
  "a fill whose time moves into an uncovered day is kept once, even if its look-back is filed in several commits: a run %s",
  async (_, to) => {
    const from = NOW - 30 * DAY_MS;
    const history = makeHistory({ seed: 5, fills: 2000, from, to: NOW + DAY_MS, ties: 0 });
    const items = Array.from({ length: history.count }, (_, index) => history.item(index));
    // One in 37 fills of the last six days: the service later says that they were made on the day after
    // `NOW`.
    const corrected = items.map((item, index) =>
      item.txCreated > NOW - 6 * DAY_MS && item.txCreated < NOW && index % 37 === 0
        ? { ...item, txCreated: NOW + Math.floor((item.txCreated - NOW + 6 * DAY_MS) / 7) + 1 }
        : item,
    );
    const switches = { pageLimit: 5, latency: { ms: 300, jitterMs: 0 } };
    const job = { lookBackMs: 7 * DAY_MS, concurrency: 1 };
    const first = makeBench({ history, switches, job });
    await syncArchive(first.job, { from });
    const later = historyOf(corrected.toSorted((a, b) => a.txCreated - b.txCreated));
    const {
      job: next,
      emulator,
      clock,
    } = makeBench({ history: later, switches, job: { ...job, store: first.job.store } });
    await clock.sleep(NOW + DAY_MS - clock.now());
    const { complete } = await syncArchive(next, { from, ...(to === undefined ? {} : { to }) });
    const moved = corrected.filter((item, index) => item !== items[index]).length;
    expect({ moved: moved > 5, complete }).toEqual({ moved: true, complete: true });
    expect(await audit(next.store, "main", emulator.truth(clock.now()))).toMatchObject(SOUND);
  },
);

test("a fill that every answer holds in two versions is kept once; that is noted, and not every night", async () => {
  const store = memoryStore();
  const { job } = benchOf(store, ITEMS.toSpliced(121, 0, { ...at(120), fees: "7" }));
  for (let night = 0; night < 3; night += 1) {
    expect(await syncArchive(job, { from: FROM, to: TO })).toMatchObject({
      complete: true,
      fills: ITEMS.length,
      restated: night === 0 ? 1 : 0,
    });
  }
});
