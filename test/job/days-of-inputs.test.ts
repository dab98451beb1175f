import { expect, test } from "vitest";
import { ZERO } from "../../lambda/core/amount.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import type { ExportResult, RunContext } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { historyOf } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { exactly } from "../support/amounts.ts";
import { exportRequest, packCells, plainItem, putAll } from "../support/exports.ts";
import { away, makeBench } from "../support/job.ts";

// A date in a user's file means a day in the pack's time zone: 2025-03-01 begins in New York five hours after
// it begins in UTC.

const NEW_YORK = parsePeriod("month-2025-03", "America/New_York");
const UTC = parsePeriod("month-2025-03");
const REQUEST = exportRequest(NEW_YORK);

function item(time: string, orderType: "buy" | "sell", quantity: string, price: string): CompletedOrder {
  return plainItem(time, Date.parse(time), { market: "BTC-USD", orderType, quantity, price });
}

/**
 * The first fill is on 28 February in New York and on 1 March in UTC. The others are in March in both zones.
 */
const ITEMS = [
  item("2025-03-01T02:00:00Z", "sell", "6.07", "90"),
  item("2025-03-01T06:00:00Z", "buy", "1", "100"),
  item("2025-03-02T06:00:00Z", "sell", "0.4", "110"),
  item("2025-03-03T06:00:00Z", "sell", "0.6", "110"),
];

async function benchWith(files: Readonly<Record<string, string>>): Promise<RunContext> {
  const { job } = makeBench({ history: historyOf(ITEMS) });
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
  const result = await exportPack(job, REQUEST);
  // 1 bought, 0.4 and 0.6 sold: three of the four fills are in the pack.
  expect(await openAtEnd(job, result)).toEqual([["BTC-USD", "long", "0.5", "50"]]);
  // UTC: 0.5 long at 100, then 6.07 sold at 90, leaves 5.57 short at 90; then 1 bought and 1 sold at 110.
  const utc = await exportPack(job, { ...REQUEST, period: UTC });
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
  const result = await exportPack(away(job, new FillbookError("incomplete", "the service is down")), REQUEST);
  expect(result.dir).toBeNull();
  expect(result.declared.map(({ market, isUsed }) => [market, isUsed])).toEqual([
    ["BTC-USD", null],
    [null, null],
  ]);
});
