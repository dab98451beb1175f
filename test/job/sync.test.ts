import { describe, expect, test } from "vitest";
import { readHead } from "../../lambda/archive/head.ts";
import { readRestatements } from "../../lambda/archive/restatements.ts";
import { BEGINNING_MS } from "../../lambda/core/beginning.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { archiveStatus } from "../../lambda/job/inspect.ts";
import { syncArchive } from "../../lambda/job/sync.ts";
import { createEmulator, type Emulator } from "../emulator/core.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { audit } from "../support/auditor.ts";
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
  expect(await audit(job.store, job.account, emulator.truth())).toMatchObject({
    lost: [],
    doubled: [],
    invented: [],
    wrong: [],
    rows,
  });
}

describe("a sync without --from and --to", () => {
  test("covers from the beginning of time to now less the settle lag, the empty past as well", async () => {
    const settleLagMs = 5 * 60_000;
    const bench = makeBench({ history: HISTORY, job: { settleLagMs } });
    const result = await syncArchive(bench.job, {});
    expect(result).toMatchObject({ complete: true, fills: 500, problem: null });
    expect(result.coverage).toEqual([{ from: BEGINNING_MS, to: NOW - settleLagMs }]);
    await expectTruth(bench, 500);
  });

  test("of an account without fills ends too, in few requests", async () => {
    const bench = makeBench({ history: [] });
    const result = await syncArchive(bench.job, { from: NOW - 365 * DAY_MS });
    expect(result).toMatchObject({ complete: true, fills: 0, exceptions: 0 });
    expect(result.requests).toBeLessThan(400); // nothing proves that no range is clamped: a request a day
  });

  test("a second run at once asks next to nothing and adds nothing", async () => {
    const bench = makeBench({ history: HISTORY });
    const first = await syncArchive(bench.job, {});
    const before = bench.job.reader.counts.requests;
    const again = await syncArchive(bench.job, { to: NOW });
    expect(again).toMatchObject({ complete: true, added: 0, restated: 0, fills: 500 });
    expect(again.coverage[0]?.from).toBe(first.coverage[0]?.from);
    expect(bench.job.reader.counts.requests - before).toBeLessThanOrEqual(4);
  });
});

describe("the settle lag", () => {
  test("what is younger is left for later, although the service shows it", async () => {
    const young = itemAt(NOW - 60_000);
    const settleLagMs = 5 * 60_000;
    const bench = makeBench({ history: historyOf([itemAt(NOW - HOUR_MS), young]), job: { settleLagMs } });
    const result = await syncArchive(bench.job, { from: NOW - DAY_MS });
    expect(result).toMatchObject({ complete: true, fills: 1, to: NOW - settleLagMs });
    await bench.clock.sleep(settleLagMs);
    expect(await syncArchive(bench.job, { from: NOW - DAY_MS })).toMatchObject({ complete: true, fills: 2, added: 1 });
  });

  test("a --to in the future: all up to the lag is walked, and it says when to run again", async () => {
    const to = NOW + DAY_MS;
    const bench = makeBench({ history: HISTORY, job: { settleLagMs: 1000 } });
    const result = await syncArchive(bench.job, { from: FROM, to });
    expect(result).toMatchObject({ complete: false, fills: 500, problem: { kind: "incomplete" } });
    expect(result.coverage).toEqual([{ from: FROM, to: NOW - 1000 }]);
    expect(result.problem?.hint).toContain("fills may appear late");
  });

  test("a range that lies in the future altogether: nothing is walked", async () => {
    const bench = makeBench({ history: HISTORY });
    const result = await syncArchive(bench.job, { from: NOW + DAY_MS, to: NOW + 2 * DAY_MS });
    expect(result).toMatchObject({ complete: false, fills: 0, coverage: [] });
  });

  test("rows that come later than their time, within the lag: every one, and none is a restatement", async () => {
    const settleLagMs = HOUR_MS;
    const lateRows = { share: 0.5, maxDelayMs: HOUR_MS };
    const history = makeHistory({ seed: 5, fills: 300, from: NOW - 3 * DAY_MS, to: NOW + 5 * DAY_MS });
    const bench = makeBench({ history, switches: { lateRows }, job: { settleLagMs } });
    for (let night = 0; night < 6; night += 1) {
      const ran = await syncArchive(bench.job, { from: NOW - 3 * DAY_MS });
      expect(ran).toMatchObject({ complete: true, restated: 0 });
      await bench.clock.sleep(DAY_MS);
    }
    const report = await audit(bench.job.store, "main", bench.emulator.truth());
    expect(report).toMatchObject({ lost: [], doubled: [], invented: [], wrong: [] });
    expect(report.rows).toBeGreaterThan(200);
  });
});

describe("night after night", () => {
  test("each run extends the coverage by its day, in few requests, and the whole is every fill once", async () => {
    const history = makeHistory({ seed: 6, fills: 900, from: NOW - 20 * DAY_MS, to: NOW + 10 * DAY_MS });
    const bench = makeBench({ history });
    await syncArchive(bench.job, { from: NOW - 20 * DAY_MS });
    for (let night = 1; night <= 9; night += 1) {
      await bench.clock.sleep(DAY_MS);
      const before = bench.job.reader.counts.requests;
      const ran = await syncArchive(bench.job, { from: NOW - 20 * DAY_MS });
      expect(ran).toMatchObject({ complete: true, restated: 0 });
      expect(ran.coverage).toEqual([{ from: NOW - 20 * DAY_MS, to: ran.to }]);
      expect(bench.job.reader.counts.requests - before).toBeLessThanOrEqual(12);
    }
    await expectTruth(bench, history.times.filter((time) => time < bench.clock.now()).length);
  });

  test("a wider range later: only what is lacking is asked for", async () => {
    const bench = makeBench({ history: HISTORY });
    await syncArchive(bench.job, { from: FROM + 20 * DAY_MS, to: FROM + 30 * DAY_MS });
    await syncArchive(bench.job, { from: FROM + 40 * DAY_MS, to: TO });
    const { gaps, coverage } = await archiveStatus(bench.job);
    expect(coverage).toEqual([
      { from: FROM + 20 * DAY_MS, to: FROM + 30 * DAY_MS },
      { from: FROM + 40 * DAY_MS, to: TO },
    ]);
    expect(gaps).toEqual([{ from: FROM + 30 * DAY_MS, to: FROM + 40 * DAY_MS }]);
    const result = await syncArchive(bench.job, { from: FROM, to: TO });
    expect(result).toMatchObject({ complete: true, coverage: [{ from: FROM, to: TO }] });
    await expectTruth(bench, 500);
  });
});

describe("what the service shows later of covered times", () => {
  /** The same account under other switches, over the same store. */
  function later(emulator: Emulator, store = memoryStore()) {
    return makeBench({ emulator, job: { store } });
  }

  test("a fill that came late and shows in a later answer is filed, and kept as a restatement", async () => {
    const edge = TO - 10 * DAY_MS;
    const late = itemAt(edge); // at the border: the next window's margin shows it
    const store = memoryStore();
    const first = later(createEmulator({ history: historyOf([itemAt(edge + DAY_MS)]) }), store);
    await syncArchive(first.job, { from: edge, to: TO });
    const second = later(createEmulator({ history: historyOf([itemAt(edge + DAY_MS), late]) }), store);
    const result = await syncArchive(second.job, { from: edge - DAY_MS, to: TO });
    expect(result).toMatchObject({ fills: 2, added: 1, restated: 1 });
    const [file] = (await readCurrent(store, "main")).restatements;
    const rows = file === undefined ? [] : await readRestatements(store, file);
    expect(rows).toMatchObject([{ kind: "late", before: null, after: { matchId: late.matchId } }]);
    await expectTruth(second, 2);
  });

  test.each([
    ["filledAt-appears", "enriched"],
    ["content", "changed"],
  ] as const)("%s: the newer is current, both are kept as %s", async (what, kind) => {
    const edge = TO - 10 * DAY_MS;
    const { filledAt: _, ...older } = itemAt(edge);
    const changingRows = { share: 1, what, afterMs: NOW + DAY_MS - edge };
    const switches: Partial<Switches> = { changingRows };
    const bench = makeBench({ history: historyOf([older]), switches });
    await syncArchive(bench.job, { from: edge, to: TO });
    await bench.clock.sleep(2 * DAY_MS);
    const result = await syncArchive(bench.job, { from: edge - DAY_MS, to: TO });
    expect(result).toMatchObject({ fills: 1, added: 0, restated: 1 });
    const [file] = (await readCurrent(bench.job.store, "main")).restatements;
    const rows = file === undefined ? [] : await readRestatements(bench.job.store, file);
    expect(rows).toMatchObject([{ kind, before: { matchId: older.matchId }, after: { matchId: older.matchId } }]);
    await expectTruth(bench, 1);
    expect((await archiveStatus(bench.job)).restated).toBe(1);
  });

  test("a filledAt that appears far from txCreated widens what a period is walked by", async () => {
    const edge = TO - 10 * DAY_MS;
    const { filledAt: _, ...older } = itemAt(edge);
    const store = memoryStore();
    await syncArchive(later(createEmulator({ history: historyOf([older]) }), store).job, { from: edge, to: TO });
    const far = { ...older, filledAt: edge + 3 * DAY_MS };
    await syncArchive(later(createEmulator({ history: historyOf([far]) }), store).job, { from: edge - 1, to: TO });
    expect((await readCurrent(store, "main")).maxSkewMs).toBe(3 * DAY_MS);
  });
});

describe("what a run leaves behind", () => {
  test("its end, its problem and no lease", async () => {
    const bench = makeBench({ history: HISTORY, switches: { cursorRefused: true, pageLimit: 1 } });
    const result = await syncArchive(bench.job, { from: FROM, to: TO });
    expect(result.complete).toBe(false);
    const head = (await readHead(bench.job.store, "main"))?.head;
    expect(head?.lease).toBeNull();
    expect(head?.lastRun).toEqual({ endedAt: bench.clock.now(), complete: false, problem: result.problem?.message });
  });

  test("asked to stop before it began: nothing walked, the archive given back", async () => {
    const bench = makeBench({ history: HISTORY, job: { signal: AbortSignal.abort() } });
    const result = await syncArchive(bench.job, { from: FROM, to: TO });
    expect(result).toMatchObject({ complete: false, fills: 0, requests: 0, problem: { kind: "incomplete" } });
    expect((await readHead(bench.job.store, "main"))?.head.lease).toBeNull();
  });

  test("a status of nothing says that there is no archive, and writes nothing", async () => {
    const store = memoryStore();
    await expect(archiveStatus({ account: "main", store })).rejects.toMatchObject({
      kind: "usage",
      message: "there is no archive of account main in memory",
    });
    expect(store.snapshot().size).toBe(0);
  });
});
