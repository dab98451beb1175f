import { describe, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { covers, union } from "../../lambda/core/ranges.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { planExport, planSync } from "../../lambda/job/plan-walk.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { makeHistory } from "../emulator/history.ts";
import { exportRequest } from "../support/exports.ts";
import { makeBench } from "../support/job.ts";

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const HISTORY = makeHistory({ seed: 5, fills: 3000, ...YEAR });

describe("a dry run of a sync", () => {
  test("sends no request, writes nothing, and the run that follows sends at least the announced requests", async () => {
    const { job, emulator } = makeBench({ history: HISTORY });
    const plan = await planSync(job, YEAR, null);
    expect(plan).toMatchObject({
      isNew: true,
      lacking: [YEAR],
      waiting: [],
      rechecks: [],
      leastRequests: 2,
      likelyRequests: null,
    });
    expect(emulator.log.requests).toBe(0);
    expect(await Array.fromAsync(job.store.list(""))).toEqual([]);
    const { requests } = await syncArchive(job, YEAR);
    expect(requests).toBeGreaterThanOrEqual(plan.leastRequests);
  });

  test("of a range that was read once counts its second reading alone, and of --once the first alone", async () => {
    const { job } = makeBench({ history: HISTORY });
    const once = await planSync(job, { ...YEAR, pace: "once" }, null);
    expect(once).toMatchObject({ lacking: [YEAR], waiting: [], leastRequests: 1 });
    await syncArchive(job, { ...YEAR, pace: "once" });
    const plan = await planSync(job, YEAR, null);
    expect(plan).toMatchObject({ lacking: [], rechecks: [], leastRequests: HISTORY.count / 100 });
    expect(union(plan.waiting)).toEqual([YEAR]);
    const before = job.reader.counts.requests;
    expect(await syncArchive(job, YEAR)).toMatchObject({ complete: true, added: 0 });
    expect(job.reader.counts.requests - before).toBeGreaterThanOrEqual(plan.leastRequests);
  });

  test("of days that are read again counts their pages: the run requests as many or a few more", async () => {
    const { job } = makeBench({ history: HISTORY });
    await syncArchive(job, YEAR);
    const march = parsePeriod("month-2025-03", "UTC");
    const request = { from: march.from, to: march.to, rechecksAll: true };
    const plan = await planSync(job, request, null);
    expect(plan).toMatchObject({ isNew: false, lacking: [], rechecks: [{ from: march.from, to: march.to }] });
    const inMarch = HISTORY.times.filter((time) => march.from <= time && time < march.to).length;
    expect(plan.leastRequests).toBeGreaterThanOrEqual(Math.floor(inMarch / 100));
    expect(plan.leastRequests).toBeLessThanOrEqual(Math.ceil(inMarch / 100) + 1);
    const before = job.reader.counts.requests;
    expect(await syncArchive(job, request)).toMatchObject({ complete: true, added: 0, restated: 0 });
    const asked = job.reader.counts.requests - before;
    expect(asked).toBeGreaterThanOrEqual(plan.leastRequests);
    expect(asked).toBeLessThanOrEqual(plan.leastRequests + 10);
  });

  test("of a gap beside covered time estimates by the covered density", async () => {
    const { job } = makeBench({ history: HISTORY });
    await syncArchive(job, { from: Date.UTC(2025, 6, 1), to: YEAR.to });
    const plan = await planSync(job, YEAR, 2);
    expect(plan.lacking).toEqual([{ from: YEAR.from, to: Date.UTC(2025, 6, 1) }]);
    const lacking = 2 * (HISTORY.times.filter((time) => time < Date.UTC(2025, 6, 1)).length / 100);
    expect(plan.likelyRequests).toBeGreaterThan(0.7 * lacking);
    expect(plan.likelyRequests).toBeLessThan(1.5 * lacking + 2);
    expect([null, 2]).toContain(plan.ratePerSecond);
  });
});

test("a dry run of an export also names the history that the export then covers", async () => {
  const { job, emulator } = makeBench({ history: HISTORY });
  const period = parsePeriod("month-2025-03");
  const plan = await planExport(job, exportRequest(period), null);
  expect(emulator.log.requests).toBe(0);
  expect(await Array.fromAsync(job.store.list(""))).toEqual([]);
  expect(plan.lacking).toEqual([{ from: plan.historyFrom, to: period.to + 7 * DAY_MS }]);
  expect(await exportPack(job, exportRequest(period))).toMatchObject({ complete: true });
  const { coverage } = (await planSync(job, {}, null)) && (await syncArchive(job, { to: period.from }));
  expect(plan.lacking.every((range) => covers(coverage, range))).toBe(true);
});
