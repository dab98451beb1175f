import { readXlsx } from "hucre/xlsx";
import { describe, expect, test } from "vitest";
import { createConverter } from "../../../lambda/accounting/rates/converter.ts";
import { createRates } from "../../../lambda/accounting/rates/rates.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { own } from "../../accounting/rates/make.ts";
import { workbookOf } from "../books.ts";

const PERIOD = parsePeriod("month-2025-03");

/**
 * 1 March: buy 3 at 100, fee 0.3; an hour later sell 1 at 110, fee 0.115; at 14:00 sell 1 at 120. One is
 * left. 1 USD = 0.5 EUR then; at the end of the month 0.25, or no rate.
 */
async function sheetsWith(...atTheEnd: string[]) {
  const fills = fillsFrom("B3@100/0.3 S1@110/0.115 S1@120", { market: "BTC-USD" });
  const books = booksOf(fills, { period: PERIOD });
  const rates = createRates([own("own.csv", "2025-03-01,USD,EUR,0.5,a", ...atTheEnd)], {});
  const converter = createConverter({ rates, to: "EUR", zone: PERIOD.zone });
  const { sheets } = await readXlsx(workbookOf(books, { converter }));
  return (name: string) => sheets.find((sheet) => sheet.name === name)?.rows ?? [];
}

/** The cells of a row below some heads. */
function under(rows: readonly (readonly unknown[])[], row: number, ...heads: string[]): unknown[] {
  return heads.map((head) => rows[row]?.[rows[1]?.indexOf(head) ?? -1]);
}

describe("a workbook of a pack that converts", () => {
  test("has it first on Summary, with the exact amount", async () => {
    const summary = (await sheetsWith())("Summary").filter((row) => row[0] === "EUR");
    expect(summary.map((row) => [row[1], row[2], row[4]])).toEqual([
      ["Gross realised PnL, converted", 15, "15"],
      ["Fees on closed positions, converted", 0.1575, "0.1575"],
      ["Net realised PnL, excl. funding, converted", 14.8425, "14.8425"],
      ["Gains, converted", 14.8425, "14.8425"],
      ["Losses, converted", 0, "0"],
      ["Fees paid, converted", 0.2075, "0.2075"],
      ["Rebates, converted", 0, "0"],
      ["Fees less rebates, converted", 0.2075, "0.2075"],
    ]);
  });

  test("has a converted column beside each source column", async () => {
    const sheetOf = await sheetsWith("2025-03-31,USD,EUR,0.25,a");
    const net = "Net realised PnL, excl. funding, in EUR";
    expect(under(sheetOf("Months"), 2, net)).toEqual([14.8425]);
    expect([2, 3].map((row) => under(sheetOf("Realised"), row, "Net PnL excl. funding, in EUR"))).toEqual([
      [4.8925],
      [9.95],
    ]);
    expect(under(sheetOf("Fees"), 2, "Fees less rebates", "Fees less rebates, in EUR")).toEqual([0.415, 0.2075]);
    expect(under(sheetOf("Open positions"), 2, "Open value", "Open value, in EUR")).toEqual([100, 25]);
  });

  test("tells that the rate of the period's end is missing", async () => {
    const positions = (await sheetsWith())("Open positions");
    expect(under(positions, 2, "Open value", "Open value, in EUR").map((cell) => cell ?? null)).toEqual([100, null]);
    expect(under(positions, 2, "Source of the rate")).toEqual(["missing: there is no rate into EUR for 2025-03-31"]);
  });
});
