import { describe, expect, test } from "vitest";
import { readHead } from "../../lambda/archive/head.ts";
import { customPeriod } from "../../lambda/core/period.ts";
import { covers } from "../../lambda/core/ranges.ts";
import { BEGINNING_MS, DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { archiveStatus } from "../../lambda/job/inspect.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { coveredTwice } from "../../lambda/walk/plan.ts";
import { historyItems, historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { exportRequest } from "../support/exports.ts";
import { type Bench, makeBench, NOW } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";
import { readCurrent } from "../support/published.ts";

const TO = NOW - 30 * DAY_MS;
const FROM = TO - 60 * DAY_MS;
const HISTORY = makeHistory({ seed: 21, fills: 500, from: FROM, to: TO });
const ITEM = HISTORY.item(0);

function itemAt(txCreated: number, fields: Partial<CompletedOrder> = {}): CompletedOrder {
  return { ...ITEM, matchId: `m-${txCreated}`, txCreated, filledAt: txCreated + 20, ...fields };
}

async function expectTruth({ job, emulator }: Bench, rows: number): Promise<void> {
  expect(await audit(job.store, job.account, emulator.truth())).toMatchObject({ ...SOUND, rows });
}

test("a sync without --from and --to covers everything from the beginning to now minus the settle lag, including the empty past", async () => {
  const settleLagMs = 5 * 60_000;
  const bench = makeBench({ history: HISTORY, job: { settleLagMs } });
  const result = await syncArchive(bench.job, {});
  expect(result).toMatchObject({ complete: true, fills: 500, problem: null });
  expect(result.coverage).toMatchObject([{ from: BEGINNING_MS, to: NOW - settleLagMs, readings: 2 }]);
  await expectTruth(bench, 500);
});

test.each([[{ to: BEGINNING_MS }], [{ to: BEGINNING_MS - DAY_MS }], [{ from: TO, to: TO }], [{ from: TO, to: FROM }]])(
  "an empty range is refused without a request: %j",
  async (range) => {
    const bench = makeBench({ history: HISTORY });
    await expect(syncArchive(bench.job, range)).rejects.toMatchObject({ kind: "usage" });
    expect(bench.emulator.log.requests).toBe(0);
  },
);

describe("the settle lag", () => {
  test("leaves the time of younger fills for later, even if the service shows them", async () => {
    const young = itemAt(NOW - 60_000);
    const settleLagMs = 5 * 60_000;
    const bench = makeBench({ history: historyOf([itemAt(NOW - HOUR_MS), young]), job: { settleLagMs } });
    const result = await syncArchive(bench.job, { from: NOW - DAY_MS });
    expect(result).toMatchObject({ complete: true, to: NOW - settleLagMs });
    expect(result.coverage.at(-1)?.to).toBe(NOW - settleLagMs);
    await bench.clock.sleep(settleLagMs);
    expect(await syncArchive(bench.job, { from: NOW - DAY_MS })).toMatchObject({ complete: true, fills: 2 });
  });

  test("leaves nothing to walk of a range in the future", async () => {
    const bench = makeBench({ history: HISTORY });
    const result = await syncArchive(bench.job, { from: NOW + DAY_MS, to: NOW + 2 * DAY_MS });
    expect(result).toMatchObject({ complete: false, fills: 0, coverage: [] });
  });
});

test("a later run of a wider range requests only what is missing", async () => {
  const bench = makeBench({ history: HISTORY });
  await syncArchive(bench.job, { from: FROM + 20 * DAY_MS, to: FROM + 30 * DAY_MS });
  await syncArchive(bench.job, { from: FROM + 40 * DAY_MS, to: TO });
  const { gaps, coverage } = await archiveStatus(bench.job);
  expect(coverage).toMatchObject([
    { from: FROM + 20 * DAY_MS, to: FROM + 30 * DAY_MS },
    { from: FROM + 40 * DAY_MS, to: TO },
  ]);
  expect(gaps).toEqual([{ from: FROM + 30 * DAY_MS, to: FROM + 40 * DAY_MS }]);
  const result = await syncArchive(bench.job, { from: FROM, to: TO });
  expect(result).toMatchObject({ complete: true, coverage: [{ from: FROM, to: TO }] });
  await expectTruth(bench, 500);
});

test("a filledAt that appears far from txCreated is noted: it widens what an export reads", async () => {
  const edge = TO - 10 * DAY_MS;
  const { filledAt: _, ...older } = itemAt(edge);
  const store = memoryStore();
  const far = { ...older, filledAt: edge + 3 * DAY_MS };
  for (const [item, from] of [[older, edge] as const, [far, edge - 1] as const]) {
    await syncArchive(makeBench({ history: historyOf([item]), job: { store } }).job, { from, to: TO });
  }
  expect((await readCurrent(store, "main")).known.skewMs).toBe(3 * DAY_MS);
});

test("status says when the service was last asked for the newest and for older days", async () => {
  const { job, clock } = makeBench({ history: HISTORY, job: { lookBackMs: 7 * DAY_MS } });
  for (const rotates of [false, false, true]) {
    const newest = clock.now();
    await syncArchive(job, { from: FROM, pace: "hurry" });
    expect((await archiveStatus(job)).lastAsked).toEqual({ newest, older: rotates ? newest : null });
    await clock.sleep(4 * DAY_MS);
  }
});

test("the state after a run has its end and its problem", async () => {
  const bench = makeBench({ history: HISTORY, switches: { cursorRefused: true, pageLimit: 1 } });
  const result = await syncArchive(bench.job, { from: FROM, to: TO });
  expect(result.complete).toBe(false);
  const head = (await readHead(bench.job.store, "main"))?.head;
  expect(head?.lastRun).toEqual({ endedAt: bench.clock.now(), complete: false, problem: result.problem?.message });
});

test("an export makes no pack of what was read once: it reads it a second time", async () => {
  const { job } = makeBench({ history: HISTORY });
  await syncArchive(job, { pace: "once" });
  const period = customPeriod("2025-12-01", "2026-01-01");
  expect(await exportPack(job, exportRequest(period))).toMatchObject({ complete: true });
  const { coverage } = await archiveStatus(job);
  expect(covers(coveredTwice(coverage), { from: BEGINNING_MS, to: period.to })).toBe(true);
});

test.each([
  ["of all up to now", undefined],
  ["of one range, as an export asks for", NOW + DAY_MS - 1],
])(
  "a fill whose time moves into an uncovered day is kept once, even if its look-back is filed in several commits: a run %s",
  async (_, to) => {
    const from = NOW - 30 * DAY_MS;
    const history = makeHistory({ seed: 5, fills: 2000, from, to: NOW + DAY_MS, ties: 0 });
    const items = [...historyItems(history)];
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
    const next = makeBench({ history: corrected, switches, job: { ...job, store: first.job.store } });
    const { emulator, clock } = next;
    await clock.sleep(NOW + DAY_MS - clock.now());
    const { complete } = await syncArchive(next.job, { from, ...(to === undefined ? {} : { to }) });
    const moved = corrected.filter((item, index) => item !== items[index]).length;
    expect({ moved: moved > 5, complete }).toEqual({ moved: true, complete: true });
    expect(await audit(next.job.store, "main", emulator.truth(clock.now()))).toMatchObject(SOUND);
  },
);

test("a fill that every answer holds in two versions is kept once; that is noted, and not every night", async () => {
  const range = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 3, 1) };
  const items = [...historyItems(makeHistory({ seed: 9, fills: 300, ...range, ties: 0 }))];
  const { fees: _, ...less } = items[120] as CompletedOrder;
  const history = items.toSpliced(121, 0, less as CompletedOrder);
  const { job } = makeBench({ history, job: { lookBackMs: 1000 * DAY_MS, alwaysLooksBack: true } });
  for (let night = 0; night < 3; night += 1) {
    const restated = night === 0 ? 1 : 0;
    expect(await syncArchive(job, range)).toMatchObject({ complete: true, fills: items.length, restated });
  }
});
