import { describe, expect, test } from "vitest";
import type { PackAccount } from "../../../lambda/pack/make/maker.ts";
import { type BooksOptions, booksOf, fillsFrom } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { rowsIn, tablesOf } from "./make.ts";

const END = Date.UTC(2025, 11, 31, 12);

function marksOf(...prices: readonly (readonly [market: string, price: string])[]): PackAccount["marks"] {
  return new Map(prices.map(([market, price]) => [market, { market, time: END, price: exactly(price) }]));
}

function cells(line: string, options: BooksOptions, ...names: string[]): string[][] {
  const rows = rowsIn(tablesOf(booksOf(fillsFrom(line), options)), "open-positions.csv");
  return rows.map((row) => names.map((name) => row[name] ?? "none"));
}

const COLUMNS = ["mark_price", "marked_at", "market_value", "unrealised_pnl"];

describe("open-positions.csv with the user's prices", () => {
  test("shows open positions at market value", () => {
    // T1 of the reference: 16 @ 99 and 3 @ 103 are open by FIFO, 1893 in total. At 110 they are worth 2090.
    const long = "B12@100/0.12 B17@99 S9@101 S4@105 B3@103/0.03";
    const marks = marksOf(["BTC-USDT", "110"]);
    expect(cells(long, { marks }, ...COLUMNS)).toEqual([["110", "2025-12-31T12:00:00.000Z", "2090", "197"]]);
    // By average cost, 19 of 29 are open: 2890 less 10 shares of it. The unrealised PnL is 2090 less that.
    const [[average = ""] = []] = cells(long, { marks, method: "average" }, "unrealised_pnl");
    expect(average).toMatch(/^190\.379310344/);
    const summary = rowsIn(tablesOf(booksOf(fillsFrom(long), { marks, method: "average" })), "summary.csv");
    expect(summary.map(({ unrealised_pnl_at_end }) => unrealised_pnl_at_end)).toEqual([average]);
  });

  test("has the value of a short with a minus, so that its gain is value less cost, too", () => {
    expect(cells("S2@100/1", { marks: marksOf(["BTC-USDT", "130"]) }, ...COLUMNS.slice(2))).toEqual([["-260", "-60"]]);
  });

  test("is empty without a price, and has no such columns without a file", () => {
    expect(cells("S2@100", { marks: new Map() }, ...COLUMNS)).toEqual([["", "", "", ""]]);
    expect(cells("S2@100", {}, ...COLUMNS)).toEqual([["none", "none", "none", "none"]]);
  });
});
