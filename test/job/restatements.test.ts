import { describe, expect, test } from "vitest";
import { customPeriod } from "../../lambda/core/period.ts";
import { DAY_MS, type TimeRange } from "../../lambda/core/time.ts";
import type { ExportResult } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { exportRequest } from "../support/exports.ts";
import { makeBench, NOW } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { recordsOf } from "../support/rfc4180.ts";

const PERIOD = customPeriod("2026-01-02", "2026-01-30");
const REQUEST = exportRequest(PERIOD);
const WALKED: TimeRange = { from: NOW - 32 * DAY_MS, to: NOW };
const LATER_MS = 46 * DAY_MS;
/** The look-back reaches to the first day that was walked. */
const LOOK_BACK_MS = NOW + LATER_MS - WALKED.from;

type Row = Readonly<Record<string, string>>;

function tableOf(store: MemoryStore, { dir }: ExportResult, path: string): Row[] {
  return recordsOf(
    Buffer.from(store.snapshot().get(`${dir?.replace(`${store.location}/`, "")}/${path}`) ?? []).toString(),
  );
}

const tradeTime = (item: CompletedOrder) => item.filledAt ?? item.txCreated;
const isIn = (item: CompletedOrder) => PERIOD.from <= tradeTime(item) && tradeTime(item) < PERIOD.to;
const iso = (ms: number | undefined) => (ms === undefined ? "" : new Date(ms).toISOString());

/** A fill's two versions of two dates, as the rows of restatements.csv; no row if they are the same. */
function expectedRows(was: CompletedOrder | undefined, is: CompletedOrder): (string | undefined)[][] {
  if (was === undefined) {
    return isIn(is) ? [["late", is.matchId, "", iso(tradeTime(is)), "", "", ""]] : [];
  }
  if (!(isIn(was) || isIn(is))) {
    return [];
  }
  const times = [is.matchId, iso(tradeTime(was)), iso(tradeTime(is))];
  return [
    ...(was.filledAt === is.filledAt ? [] : [["enriched", ...times, "filled_at", iso(was.filledAt), iso(is.filledAt)]]),
    ...(was.fees === is.fees ? [] : [["changed", ...times, "fee", was.fees, is.fees]]),
  ];
}

describe.each<Switches["changingRows"] & object>([
  { share: 0.3, what: "content", afterMs: 45 * DAY_MS },
  { share: 0.3, what: "filledAt-appears", afterMs: 45 * DAY_MS },
])("fills that come late, or whose $what, in covered times", (changingRows) => {
  /**
   * A service that shows a tenth of its fills up to 40 days late. It is walked on two days, and a pack is
   * made on each.
   */
  async function twoPacks() {
    const history = makeHistory({ seed: 31, fills: 400, from: WALKED.from, to: WALKED.to });
    const store = memoryStore();
    const lateRows = { share: 0.1, maxDelayMs: 40 * DAY_MS };
    const { job, emulator, clock } = makeBench({
      history,
      switches: { changingRows, lateRows },
      job: { store, hurries: true },
    });
    expect(await syncArchive(job, WALKED)).toMatchObject({ complete: true, restated: 0 });
    const first = await exportPack(job, REQUEST);
    await clock.sleep(LATER_MS);
    const again = await syncArchive({ ...job, lookBackMs: LOOK_BACK_MS }, { from: WALKED.from });
    expect(again).toMatchObject({ complete: true });
    const second = await exportPack(job, REQUEST);
    return { store, first, second, was: emulator.truth(NOW), is: emulator.truth(NOW + LATER_MS) };
  }

  test("are in restatements.csv with the exact texts of both versions and the time when they were seen", async () => {
    const { store, first, second, was, is } = await twoPacks();
    expect(tableOf(store, first, "restatements.csv")).toEqual([]);
    const rows = tableOf(store, second, "restatements.csv");
    const expected = [...is].flatMap(([key, item]) => expectedRows(was.get(key), item));
    const columns = ["kind", "match_id", "trade_time_before", "trade_time_after", "column", "before", "after"];
    expect(rows.map((row) => columns.map((name) => row[name])).sort()).toEqual(expected.sort());
    expect(new Set(rows.map((row) => row["kind"])).size).toBe(2);
    expect(rows.length).toBeGreaterThan(50);
    expect(new Set(rows.map((row) => row["seen_at"]))).toEqual(new Set([iso(NOW + LATER_MS)]));
  });
});
