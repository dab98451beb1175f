import { describe, expect, test } from "vitest";
import { ZERO } from "../../lambda/core/amount.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { ExportResult, RunContext } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { historyOf } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { exactly } from "../support/amounts.ts";
import { exportRequest, MARCH, OF_MARCH, packCells, packRows, plainItem, putAll } from "../support/exports.ts";
import { away, makeBench } from "../support/job.ts";

// A period's accounts depend on the fills before it.

/**
 * 3 bought at 100 in 2024, 3 sold at 110 in March: case T20 of the reference. The two fills are far enough apart to
 * prove how wide a range is answered, so nothing is assumed about the silence before them.
 */
const ITEMS = [
  plainItem("open", Date.UTC(2023, 5, 1), { orderType: "buy", quantity: "3", price: "100" }),
  plainItem("close", MARCH.from + DAY_MS, { orderType: "sell", quantity: "3", price: "110" }),
];

const tableOf = ({ store }: RunContext, { dir, complete }: ExportResult, path: string) =>
  packRows(store, dir, complete ? path : `INCOMPLETE-${path}`);

const realised = async (job: RunContext, result: ExportResult) =>
  (await tableOf(job, result, "realised-pnl.csv")).map(({ gross_pnl, status }) => [gross_pnl, status]);

describe("what came before the period", () => {
  test("is walked too, and gives the same pack as a whole book that was synced before", async () => {
    const alone = makeBench({ history: historyOf(ITEMS) });
    const result = await exportPack(alone.job, OF_MARCH);
    expect(result).toMatchObject({ complete: true, problem: null });
    expect(await realised(alone.job, result)).toEqual([["30", "known"]]);
    const whole = makeBench({ history: historyOf(ITEMS) });
    await syncArchive(whole.job, {});
    expect((await exportPack(whole.job, OF_MARCH)).files).toEqual(result.files);
  });

  test("leaves PnL blank if the service cannot be asked, and a note says why", async () => {
    const { job } = makeBench({ history: historyOf(ITEMS) });
    await syncArchive(job, { from: MARCH.from - DAY_MS, to: MARCH.to + DAY_MS });
    const error = new FillbookError("usage", "the address of the account host is not set");
    const alone = { ...away(job, error), requireAccess: () => Promise.reject(error) };
    expect(await exportPack(away(job, error), OF_MARCH)).toMatchObject({ dir: null, problem: error });
    const result = await exportPack(alone, { ...OF_MARCH, allowIncomplete: true });
    expect(result).toMatchObject({ complete: false, problem: { kind: "incomplete" } });
    expect(result.notes.join(" ")).toMatch(/the address of the account host is not set.*before 2025-03-01.*blank/);
    expect(await realised(job, result)).toEqual([["", "opening_unknown"]]);
    const summary = await tableOf(job, result, "summary.csv");
    expect(summary.map(({ gross_pnl, is_complete }) => [gross_pnl, is_complete])).not.toContainEqual(["0", "yes"]);
  });

  test("is not requested if the user declares the open positions of all markets", async () => {
    const { job } = makeBench({ history: historyOf(ITEMS) });
    const declared =
      "market,quantity,average_price,as_of,evidence\nBTC-USDT,3,100,2025-03-01,statement\n*,0,,2025-03-01,\n";
    await job.store.createNew("main/inputs/opening-positions.csv", Buffer.from(declared));
    const result = await exportPack(job, OF_MARCH);
    expect(await realised(job, result)).toEqual([["30", "known"]]);
    const { requests } = job.reader.counts;
    const plain = makeBench({ history: historyOf(ITEMS) });
    await exportPack(plain.job, OF_MARCH);
    expect(requests).toBeLessThan(plain.job.reader.counts.requests);
    expect(result.files.map(({ path }) => path)).toContain("inputs/opening-positions.csv");
  });

  test("stops the export if it contradicts the user's declaration; the message names the line", async () => {
    const { job } = makeBench({ history: historyOf(ITEMS) });
    const declared = "market,quantity,average_price,as_of,evidence\nBTC-USDT,5,100,2025-03-01,statement\n";
    await job.store.createNew("main/inputs/opening-positions.csv", Buffer.from(declared));
    // Other markets are not declared, so the fills of 2024 are walked. They give 3.
    const message = expect.stringContaining("opening-positions.csv, line 2");
    await expect(exportPack(job, OF_MARCH)).rejects.toMatchObject({ kind: "usage", message });
  });
});

// A date in a user's file means a day in the pack's time zone: 2025-03-01 begins in New York five hours after
// it begins in UTC.

const NEW_YORK = parsePeriod("month-2025-03", "America/New_York");

function item(time: string, orderType: "buy" | "sell", quantity: string, price: string): CompletedOrder {
  return plainItem(time, Date.parse(time), { market: "BTC-USD", orderType, quantity, price });
}

/**
 * The first fill is on 28 February in New York and on 1 March in UTC. The others are in March in both zones.
 */
const AROUND_MIDNIGHT = [
  item("2025-03-01T02:00:00Z", "sell", "6.07", "90"),
  item("2025-03-01T06:00:00Z", "buy", "1", "100"),
  item("2025-03-02T06:00:00Z", "sell", "0.4", "110"),
  item("2025-03-03T06:00:00Z", "sell", "0.6", "110"),
];

async function benchWith(files: Readonly<Record<string, string>>): Promise<RunContext> {
  const { job } = makeBench({ history: historyOf(AROUND_MIDNIGHT) });
  await putAll(
    job.store,
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`main/inputs/${name}`, text])),
  );
  return job;
}

const openAtEnd = ({ store }: RunContext, { dir }: ExportResult) =>
  packCells(store, dir, "open-positions.csv", ["market", "side", "quantity", "open_value"]);

const POSITIONS =
  "market,quantity,average_price,as_of,evidence\nBTC-USD,0.5,100,2025-03-01,statement\n*,0,,2025-03-01,\n";

test("a position as of a date applies from the beginning of that day in the zone of each pack", async () => {
  const job = await benchWith({ "opening-positions.csv": POSITIONS });
  const result = await exportPack(job, exportRequest(NEW_YORK));
  // 1 bought, 0.4 and 0.6 sold: three of the four fills are in the pack.
  expect(await openAtEnd(job, result)).toEqual([["BTC-USD", "long", "0.5", "50"]]);
  // UTC: 0.5 long at 100, then 6.07 sold at 90, leaves 5.57 short at 90; then 1 bought and 1 sold at 110.
  const utc = await exportPack(job, { ...OF_MARCH, period: MARCH });
  expect(await openAtEnd(job, utc)).toEqual([["BTC-USD", "short", "-5.57", "-521.3"]]);
  const asOf = Date.parse("2025-03-01T05:00:00Z");
  const used = { asOf, isUsed: true, unused: null };
  const price = exactly("100");
  expect(result.declared).toEqual([
    { ...used, market: "BTC-USD", quantity: exactly("0.5"), price, isPriceUsed: true },
    { ...used, market: null, quantity: ZERO, price: null, isPriceUsed: null },
  ]);
});

test("the declared positions are also reported if no pack was written", async () => {
  const job = await benchWith({ "opening-positions.csv": POSITIONS });
  const result = await exportPack(
    away(job, new FillbookError("incomplete", "the service is down")),
    exportRequest(NEW_YORK),
  );
  expect(result.dir).toBeNull();
  expect(result.declared.map(({ market, isUsed }) => [market, isUsed])).toEqual([
    ["BTC-USD", null],
    [null, null],
  ]);
});
