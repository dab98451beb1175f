import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import type { Amount } from "../../../lambda/core/amount.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { workbookOf } from "../../../lambda/formats/xlsx/xlsx.ts";
import { currency, money, SUMMED } from "../../../lambda/pack/tables/column.ts";
import type { SheetTable } from "../../../lambda/pack/tables/table.ts";
import { SheetMaker } from "../../../lambda/pack/writers/sheet.ts";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { converterOf } from "../../accounting/rates/make.ts";
import { exactly } from "../../support/amounts.ts";
import { workbookOf as bookOf, closingOf, drawFills } from "../books.ts";

const PERIOD = parsePeriod("calendar-2025");

test("the last line of a long table counts the rest, and totals cover the rows that are shown, added up exactly", async () => {
  const books = booksOf([], { period: PERIOD });
  const amounts = ["1", "10000000000000000", "-9999999999999999", "5"].map(exactly);
  const table: SheetTable<Amount> = {
    path: "long.csv",
    description: "",
    columns: [currency(() => "USD"), money("amount", "", (amount) => amount, SUMMED)],
    sheet: { title: "Long", about: "", nothing: "", most: 3, left: () => 4 },
    rows: { atEnd: () => amounts },
  };
  const sheet = new SheetMaker(books.context, table).finish(closingOf(books));
  const { sheets } = await readXlsx(workbookOf([sheet], { title: "", creator: "", time: PERIOD.to }));
  expect(sheets[0]?.rows.slice(5)).toEqual([
    ["5 more rows are in long.csv. The totals of this sheet exclude them.", null],
    ["USD", 2],
  ]);
});

test("an incomplete pack is marked on every sheet, with its gaps", async () => {
  const books = booksOf(drawFills(20, PERIOD.from, PERIOD.to), { period: PERIOD });
  const gaps = Array.from({ length: 53 }, (_, at) => ({
    from: PERIOD.from + at * 1000,
    to: PERIOD.from + at * 1000 + 1,
  }));
  const bytes = bookOf(books, {
    context: { complete: false },
    closing: {
      proof: { ...closingOf(books).proof, complete: false, gaps },
      exceptions: { count: 1234, ofFills: 1234, first: [] },
    },
  });
  const { sheets } = await readXlsx(bytes);
  expect(sheets.map(({ rows }) => String(rows[0]?.[0]).startsWith("NOT COMPLETE"))).toEqual(sheets.map(() => true));
  const cover = (sheets[0]?.rows ?? []).map((row) => `${row[1]}: ${row[2]}`);
  expect(cover.filter((line) => line.startsWith("Not covered: 2025-01-01T00:00:"))).toHaveLength(50);
  expect(cover).toContain("Not covered: 3 more gaps are in completeness.json.");
  expect(cover.join("\n")).toContain("exceptions: 1,234 rows about single fills");
  expect(sheets.at(-1)?.rows.at(-1)?.[0]).toBe(
    "1,234 more rows are in exceptions.csv. The totals of this sheet exclude them.",
  );
});

test("rates are text, and have a sheet", async () => {
  const use = { rate: "0.80123456789012345678", rateDate: "2025-01-31", source: "=ecb" };
  const converter = converterOf({ to: "GBP", convert: (amount) => ({ amount, ...use }) });
  const books = booksOf(fillsFrom("B1@1 S1@2", { market: "BTC-USD" }), { period: PERIOD });
  const { sheets } = await readXlsx(bookOf(books, { converter }));
  const rows = sheets.find(({ name }) => name === "Rates")?.rows.slice(2) ?? [];
  expect(rows.map((row) => row.filter((_, column) => column !== 4))).toEqual([
    ["USD", "GBP", use.rate, use.rateDate, use.source],
  ]);
});
