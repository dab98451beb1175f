import { describe, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { exportRequest, packRows, plainItem } from "../support/exports.ts";
import { makeBench, NOW } from "../support/job.ts";

const MARCH = parsePeriod("month-2025-03");
const REQUEST = exportRequest(MARCH);

function item(name: string, txCreated: number, filledAt?: number): CompletedOrder {
  return plainItem(name, txCreated, filledAt === undefined ? {} : { filledAt });
}

async function packOf(items: readonly CompletedOrder[]) {
  const { job } = makeBench({ history: historyOf(items) });
  const result = await exportPack(job, REQUEST);
  const rows = (path: string) => packRows(job.store, result.dir, path);
  return { result, rows, names: (await rows("fills.csv")).map((row) => row["match_id"]) };
}

describe("the fills of a period's pack", () => {
  test("are those filled in the period, even if txCreated is outside it, on either side of either end", async () => {
    const { result, names } = await packOf([
      item("created-before-filled-in", MARCH.from - HOUR_MS, MARCH.from),
      item("created-in-filled-before", MARCH.from, MARCH.from - 1),
      item("in", MARCH.from + DAY_MS, MARCH.from + DAY_MS),
      item("created-in-filled-after", MARCH.to - 1, MARCH.to),
      item("created-after-filled-in", MARCH.to + HOUR_MS, MARCH.to - 1),
    ]);
    expect(result).toMatchObject({ complete: true, problem: null });
    expect(names).toEqual(["created-before-filled-in", "in", "created-after-filled-in"]);
  });

  test("need a walk that is wider by the largest difference seen between the two times", async () => {
    const { result, names } = await packOf([
      item("three-days-apart", MARCH.from + 5 * DAY_MS, MARCH.from + 2 * DAY_MS),
      item("as-far-before", MARCH.from - 2 * DAY_MS - HOUR_MS, MARCH.from),
      item("as-far-after", MARCH.to + 2 * DAY_MS, MARCH.to - 1),
    ]);
    expect(result.complete).toBe(true);
    expect(names).toEqual(["as-far-before", "three-days-apart", "as-far-after"]);
  });

  test("need no walk of times before any account, even if a fill has a time in 2001", async () => {
    const { result, names } = await packOf([
      item("odd", MARCH.from + DAY_MS, 1_000_000_000_000),
      item("in", MARCH.from + DAY_MS + 1),
    ]);
    expect(result).toMatchObject({ complete: true, problem: null });
    expect(names).toEqual(["in"]);
  });
});

test("a period that ended less than the settle lag ago gets a pack only after the lag", async () => {
  const settleLagMs = HOUR_MS;
  const period = { ...MARCH, from: NOW - 3 * DAY_MS, to: NOW - HOUR_MS / 2 };
  const { job, clock } = makeBench({ history: historyOf([item("a", NOW - DAY_MS)]), job: { settleLagMs } });
  expect(await exportPack(job, { ...REQUEST, period })).toMatchObject({ complete: false, dir: null });
  await clock.sleep(HOUR_MS);
  expect(await exportPack(job, { ...REQUEST, period })).toMatchObject({ complete: true });
});

test("a second export of a covered period sends hardly any requests and makes the same pack", async () => {
  const history = makeHistory({ seed: 2, fills: 300, from: MARCH.from - DAY_MS, to: MARCH.to + DAY_MS });
  const { job } = makeBench({ history });
  const first = await exportPack(job, REQUEST);
  const before = job.reader.counts.requests;
  const again = await exportPack(job, REQUEST);
  expect(again).toEqual(first);
  expect(job.reader.counts.requests - before).toBeLessThanOrEqual(2);
});
