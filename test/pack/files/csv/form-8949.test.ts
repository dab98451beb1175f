import { test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { customPeriod } from "../../../../lambda/core/period.ts";
import { type Books, booksOf, fillsFrom } from "../../../accounting/make.ts";
import { drawnBooks, totalsOf } from "../journals/draw.ts";
import { exact, rowsIn, tablesOf } from "./make.ts";

const rowsOf = (books: Books) => rowsIn(tablesOf(books), "form-8949.csv");

function cells(books: Books, ...names: string[]): string[][] {
  return rowsOf(books).map((row) => names.map((name) => row[name] ?? "?"));
}

describe("form-8949.csv", () => {
  // T4 of the reference: a flip with fees, which all methods see alike.
  plainTest("has a long and a short of a flip in the form's columns, and its fees beside them", () => {
    const books = booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@105/0.21", { stepMs: 86_400_000 }));
    expect(cells(books, "description_of_property", "date_acquired", "date_sold_or_disposed")).toEqual([
      ["1 BTC-USDT perpetual, long", "2025-03-01", "2025-03-02"],
      // A short is acquired by what closes it: IRS, Instructions for Form 8949, columns (b) and (c).
      ["2 BTC-USDT perpetual, short", "2025-03-03", "2025-03-03"],
    ]);
    expect(
      cells(books, "proceeds", "cost_or_other_basis", "code", "adjustment", "gain_or_loss", "fees", "currency"),
    ).toEqual([
      ["110", "100", "", "", "10", "0.21", "USDT"],
      ["220", "210", "", "", "10", "0.43", "USDT"],
    ]);
    expect(
      cells(books, "gain_or_loss_net_of_fees_excl_funding", "opened_at", "open_match_id", "close_order_id"),
    ).toEqual([
      ["9.79", "2025-03-01T12:00:00.000Z", "M1", "O2"],
      ["9.57", "2025-03-02T12:00:00.000Z", "M2", "O3"],
    ]);
  });

  plainTest("gives days as the zone's clocks show them", () => {
    const period = customPeriod("2025-01-01", "2026-01-01", "America/New_York");
    const books = booksOf(fillsFrom("B1@100 S1@110", { from: Date.UTC(2025, 2, 2, 4, 59), stepMs: 60_000 }), {
      period,
    });
    expect(cells(books, "date_acquired", "date_sold_or_disposed")).toEqual([["2025-03-01", "2025-03-02"]]);
  });

  plainTest("gives a pool, and a position that was declared, no day of acquisition", () => {
    const fills = fillsFrom("B1@100 S1@110");
    expect(cells(booksOf(fills, { method: "average" }), "date_acquired", "open_match_id")).toEqual([["", "M1"]]);
    const declared = [{ market: "BTC-USDT", quantity: 10n ** 18n, price: 10n ** 18n, asOf: 0, where: "a line" }];
    expect(cells(booksOf(fills, { declared }), "date_acquired", "open_match_id", "proceeds")).toEqual([
      ["", "", "110"],
    ]);
  });

  plainTest("has a row with a reason, and no amounts, where the gain is not known", () => {
    const declared = [{ market: "BTC-USDT", quantity: 10n ** 18n, price: null, asOf: 0, where: "a line" }];
    const names = ["description_of_property", "quantity", "side", "proceeds", "gain_or_loss", "fees", "status"];
    const fills = fillsFrom("S2@100/1 S1@100");
    expect(cells(booksOf(fills, { declared }), ...names)).toEqual([
      ["1 BTC-USDT perpetual, long", "1", "long", "", "", "", "quantity_known_cost_unknown"],
    ]);
    const unknown = ["BTC-USDT perpetual", "", "", "", "", "", "opening_unknown"];
    expect(cells(booksOf(fills, { fromBeginning: false }), ...names)).toEqual([unknown, unknown]);
  });

  test.prop([drawnBooks()])("adds up to the statement", (books) => {
    const rows = rowsOf(books);
    for (const row of rows.filter(({ status }) => status === "known")) {
      const number = (name: string) => exact(row[name] ?? "");
      expect(number("proceeds") - number("cost_or_other_basis")).toBe(number("gain_or_loss"));
      expect(number("gain_or_loss") - number("fees")).toBe(number("gain_or_loss_net_of_fees_excl_funding"));
    }
    for (const [currency, { realised }] of totalsOf(books.statement)) {
      const own = rows.filter((row) => row["currency"] === currency && row["status"] === "known");
      expect(own.reduce((sum, row) => sum + exact(row["gain_or_loss"] ?? ""), 0n)).toBe(realised);
    }
  });
});
