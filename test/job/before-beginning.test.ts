import { describe, expect, test } from "vitest";
import { BEGINNING_MS } from "../../lambda/core/beginning.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { archiveStatus, verifyArchive } from "../../lambda/job/inspect.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { makeBench, NOW } from "../support/job.ts";
import { readCurrent } from "../support/published.ts";

const TO = NOW - 30 * DAY_MS;
const ITEM = makeHistory({ seed: 21, fills: 1, from: TO - DAY_MS, to: TO }).item(0);

function itemAt(txCreated: number): CompletedOrder {
  return { ...ITEM, matchId: `m-${txCreated}`, txCreated, filledAt: txCreated + 20 };
}

describe("a sync of the whole account", () => {
  test("notices fills before the beginning, and says what to type", async () => {
    const history = historyOf([itemAt(Date.UTC(2012, 5, 7, 8)), itemAt(TO - DAY_MS)]);
    const bench = makeBench({ history });
    const result = await syncArchive(bench.job, {});
    expect(result.complete).toBe(false);
    expect(result.problem).toMatchObject({
      kind: "incomplete",
      message: "the account has fills before 2015-01-01T00:00:00.000Z",
      hint: "give the beginning of the account: --from 2012-06-07",
    });
    const again = await syncArchive(bench.job, { from: Date.UTC(2012, 5, 7) });
    expect(again).toMatchObject({ complete: true, fills: 2 });
  });

  test("remembers fills before the beginning: no run claims the whole account until they are covered", async () => {
    const history = historyOf([itemAt(Date.UTC(2012, 5, 7, 8)), itemAt(TO - DAY_MS)]);
    const bench = makeBench({ history, job: { lookBackMs: 7 * DAY_MS } });
    const refused = {
      complete: false,
      problem: { kind: "incomplete", hint: "give the beginning of the account: --from 2012-06-07" },
    };
    for (const ms of [0, DAY_MS, DAY_MS, HOUR_MS]) {
      await bench.clock.sleep(ms);
      expect(await syncArchive(bench.job, {})).toMatchObject(refused);
    }
    expect(await syncArchive(bench.job, { from: BEGINNING_MS })).toMatchObject(refused);
    const period = parsePeriod("month-2025-12");
    const pack = { period, method: "average", isMethodChosen: true, basis: "fill", allowIncomplete: false } as const;
    expect(await exportPack(bench.job, pack)).toMatchObject({ ...refused, dir: null });
    // A run of a single range makes no claim about earlier times, so it is complete.
    expect(await syncArchive(bench.job, { from: period.from, to: period.to })).toMatchObject({ complete: true });
    expect(await syncArchive(bench.job, { from: Date.UTC(2012, 5, 7) })).toMatchObject({ complete: true, fills: 2 });
    await bench.clock.sleep(8 * DAY_MS);
    expect(await syncArchive(bench.job, {})).toMatchObject({ complete: true, problem: null });
    expect(await exportPack(bench.job, pack)).toMatchObject({ complete: true });
  });

  test("forgets fills before the beginning when the service no longer returns them", async () => {
    const early = makeBench({ history: historyOf([itemAt(Date.UTC(2012, 5, 7, 8)), itemAt(TO - DAY_MS)]) });
    expect((await syncArchive(early.job, {})).complete).toBe(false);
    const bench = makeBench({ history: historyOf([itemAt(TO - DAY_MS)]), job: { store: early.job.store } });
    expect(await syncArchive(bench.job, {})).toMatchObject({ complete: true });
    expect((await readCurrent(bench.job.store, "main")).checkpoint).not.toHaveProperty("beforeBeginning");
  });

  test("is not complete for status, nor for a re-walk of everything, nor after an export, until they are read", async () => {
    const history = historyOf([itemAt(Date.UTC(2012, 5, 7, 8)), itemAt(TO - DAY_MS)]);
    const { job } = makeBench({ history });
    await syncArchive(job, {});
    expect(await archiveStatus(job)).toMatchObject({ beforeBeginning: Date.UTC(2012, 5, 7, 8) });
    expect(await verifyArchive(job, { rewalk: true })).toMatchObject({
      ok: false,
      beforeBeginning: Date.UTC(2012, 5, 7, 8),
      findings: [
        "the service has fills before 2015-01-01T00:00:00.000Z that the archive lacks; the earliest known one was created at 2012-06-07T08:00:00.000Z",
      ],
    });
    expect((await archiveStatus(job)).checks.rewalk).toMatchObject({ ok: false, findings: 1 });
    const period = parsePeriod("month-2025-12");
    const pack = { period, method: "average", isMethodChosen: true, basis: "fill", allowIncomplete: false } as const;
    expect(await exportPack(job, pack)).toMatchObject({ complete: false, dir: null });
    expect((await archiveStatus(job)).lastRun).toMatchObject({
      complete: false,
      problem: "the account has fills before 2015-01-01T00:00:00.000Z",
    });
    await syncArchive(job, { from: Date.UTC(2012, 5, 7) });
    expect(await verifyArchive(job, { rewalk: true })).toMatchObject({ ok: true, findings: [] });
    expect(await archiveStatus(job)).toMatchObject({ beforeBeginning: null, lastRun: { complete: true } });
    expect(await exportPack(job, pack)).toMatchObject({ complete: true });
    expect((await archiveStatus(job)).lastRun).toMatchObject({ complete: true, problem: null });
  });

  test("reports a row before the beginning that cannot be filed", async () => {
    const row = { ...itemAt(Date.UTC(2012, 5, 7)), matchId: "" };
    // Pages hold one row, so the first page without dates does not show the unfilable row.
    const bench = makeBench({ history: historyOf([row, itemAt(TO - DAY_MS)]), switches: { pageLimit: 1 } });
    const { problem } = await syncArchive(bench.job, {});
    expect(problem?.kind).toBe("untrusted");
    expect(problem?.message).toMatch(/^before 2015-01-01T00:00:00\.000Z: page 1, row 1 cannot be filed: matchId is ""/);
  });

  test.each<[string, Partial<Switches>]>([
    ["on later pages", { pageLimit: 1 }],
    ["after empty pages", { pageLimit: 1, emptyPages: 0.9 }],
  ])("notices such fills %s, and names the oldest", async (_, switches) => {
    const history = historyOf([2012, 2013, 2014].map((year) => itemAt(Date.UTC(year, 5, 7))));
    const bench = makeBench({ history, switches });
    expect((await syncArchive(bench.job, {})).problem?.hint).toBe(
      "give the beginning of the account: --from 2012-06-07",
    );
  });
});
