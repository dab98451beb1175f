import { test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { customPeriod } from "../../../lambda/core/period.ts";
import { type Books, booksOf, fillsFrom } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { drawnBooks, totalsOf } from "../exports/draw.ts";
import { exact, rowsIn, tablesOf } from "./make.ts";

const rowsOf = (books: Books) => rowsIn(tablesOf(books), "realised-pnl.csv");

const NET = "realised_pnl_net_of_fees_excl_funding";

function cells(books: Books, ...names: string[]): string[][] {
  return rowsOf(books).map((row) => names.map((name) => row[name] ?? "?"));
}

describe("realised-pnl.csv as purchases and sales", () => {
  // T4 of the reference: a flip with fees, which is the same by all methods.
  plainTest("includes the fees of a long and of a short in cost and proceeds", () => {
    const books = booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@105/0.21", { stepMs: 86_400_000 }));
    expect(cells(books, "quantity", "side", "date_opened", "date_closed", "currency")).toEqual([
      ["1", "long", "2025-03-01", "2025-03-02", "USDT"],
      ["2", "short", "2025-03-02", "2025-03-03", "USDT"],
    ]);
    // Bought for 100 + 0.10 and sold for 110 − a third of 0.33; sold for 220 − two thirds of 0.33 and bought
    // for 210 + 0.21.
    expect(cells(books, "proceeds", "cost", NET, "fee_in_proceeds", "fee_in_cost")).toEqual([
      ["109.89", "100.1", "9.79", "0.11", "0.1"],
      ["219.78", "210.21", "9.57", "0.22", "0.21"],
    ]);
    expect(cells(books, "opened_at", "open_match_id", "close_order_id")).toEqual([
      ["2025-03-01T12:00:00.000Z", "M1", "O2"],
      ["2025-03-02T12:00:00.000Z", "M2", "O3"],
    ]);
  });

  plainTest("gives days in the pack's zone", () => {
    const period = customPeriod("2025-01-01", "2026-01-01", "America/New_York");
    const books = booksOf(fillsFrom("B1@100 S1@110", { from: Date.UTC(2025, 2, 2, 4, 59), stepMs: 60_000 }), {
      period,
    });
    expect(cells(books, "date_opened", "date_closed")).toEqual([["2025-03-01", "2025-03-02"]]);
  });

  plainTest("says VARIOUS for a pool, and for a declared position", () => {
    const fills = fillsFrom("B1@100 S1@110");
    expect(cells(booksOf(fills, { method: "average" }), "date_opened", "open_match_id")).toEqual([["VARIOUS", "M1"]]);
    const declared = [{ market: "BTC-USDT", quantity: exactly("1"), price: exactly("1"), asOf: 0, where: "a line" }];
    expect(cells(booksOf(fills, { declared }), "date_opened", "open_match_id", "proceeds")).toEqual([
      ["VARIOUS", "", "110"],
    ]);
  });

  plainTest("has a row with a reason and no amounts if the gain is unknown", () => {
    const declared = [{ market: "BTC-USDT", quantity: exactly("1"), price: null, asOf: 0, where: "a line" }];
    const names = ["market", "quantity", "side", "proceeds", "cost", NET, "status"];
    const fills = fillsFrom("S2@100/1 S1@100");
    expect(cells(booksOf(fills, { declared }), ...names)).toEqual([
      ["BTC-USDT", "1", "long", "", "", "", "quantity_known_cost_unknown"],
    ]);
    const unknown = ["BTC-USDT", "", "", "", "", "", "opening_unknown"];
    expect(cells(booksOf(fills, { fromBeginning: false }), ...names)).toEqual([unknown, unknown]);
  });

  test.prop([drawnBooks()])("adds up to the statement, fees included", (books) => {
    const rows = rowsOf(books).filter(({ status }) => status === "known");
    for (const row of rows) {
      const number = (name: string) => exact(row[name] ?? "");
      expect(number("proceeds") - number("cost")).toBe(number(NET));
    }
    for (const [currency, { realised }] of totalsOf(books)) {
      const own = rows.filter((row) => row["currency"] === currency);
      const sum = (name: string) => own.reduce((total, row) => total + exact(row[name] ?? ""), 0n);
      expect(sum(NET) + sum("fee_in_proceeds") + sum("fee_in_cost")).toBe(realised);
    }
  });
});
