import { fc, test } from "@fast-check/vitest";
import { readXlsx } from "hucre/xlsx";
import { describe, expect } from "vitest";
import type { Amount } from "../../../lambda/core/amount.ts";
import { localTime, parsePeriod } from "../../../lambda/core/period.ts";
import { workbookOf } from "../../../lambda/formats/xlsx/xlsx.ts";
import { currency, money, SUMMED } from "../../../lambda/pack/tables/column.ts";
import type { SheetTable } from "../../../lambda/pack/tables/table.ts";
import { amountCell, clockOf } from "../../../lambda/pack/writers/cells.ts";
import { SheetMaker } from "../../../lambda/pack/writers/sheet.ts";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { converterOf } from "../../accounting/rates/make.ts";
import { exactly, unitsText } from "../../support/amounts.ts";
import { workbookOf as bookOf, closingOf, drawFills } from "../books.ts";
import { Exact, exact } from "../sums.ts";
import { shown } from "./grid.ts";

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

// Whether the sheets agree with the summary: workbook.system.test.ts.
test("a total is partial if and only if an amount of its column is not known", async () => {
  const fills = [
    ...fillsFrom("S2@7", { market: "SOL-EUR" }), // it closes a declared trade, which is not listed, and opens one
    ...fillsFrom("S1@8 B1@7", { market: "ADA-EUR" }),
    ...fillsFrom("S1@8 B1@7", { market: "LTC-GBP" }), // a break without fills follows
  ];
  const line = { market: "SOL-EUR", quantity: exactly("1"), price: exactly("6"), asOf: 0, where: "a line" };
  const broken = { market: "LTC-GBP", asOf: PERIOD.to - 1, breakFrom: PERIOD.to - 2 };
  const declared = [line, { ...line, ...broken, quantity: exactly("0") }];
  const { sheets } = await readXlsx(bookOf(booksOf(fills, { period: PERIOD, declared, marks: new Map() })));
  const totalsIn = (title: string) => {
    const [, heads = [], ...rows] = sheets.find(({ name }) => name === title)?.rows ?? [];
    const totals = rows.filter(([label]) => /^(Partial t|T)otal$/.test(String(label)));
    return totals.map((row) => [row[0], ...heads.filter((_, at) => typeof row[at] === "number")].join(", "));
  };
  const partial = "Partial total, Gross realised PnL, Fees, Net realised PnL, excl. funding";
  expect(totalsIn("Closed trades")).toEqual([partial, partial]);
  expect(totalsIn("Realised").map((text) => text.split(",")[0])).toEqual(["Total", "Partial total"]);
  const fees = "Partial total, Volume, Fees paid, Rebates, Fees less rebates";
  expect(totalsIn("Fees").slice(1)).toEqual(["Total, Fills", fees]);
  expect(totalsIn("Open positions")).toEqual(["Total, Open value, Fees carried, Lots"]); // without a price
});

test("rates are text, and have a sheet", async () => {
  const use = { rate: "0.80123456789012345678", source: "=ecb" };
  const converter = converterOf({
    to: "GBP",
    convert: (amount, _, time) => ({ amount, ...use, rateDate: localTime(time, "UTC").slice(0, 10) }),
  });
  const books = booksOf(fillsFrom("B2@1 S1@2", { market: "BTC-USD" }), { period: PERIOD });
  const { sheets } = await readXlsx(bookOf(books, { converter }));
  const rows = sheets.find(({ name }) => name === "Rates")?.rows.slice(2) ?? [];
  // The close, and what is open at the end.
  expect(rows).toEqual(["2025-03-01", "2025-12-31"].map((day) => ["USD", "GBP", use.rate, day, 1, use.source]));
});

const amounts = fc
  .oneof(
    fc.bigInt({ min: -(10n ** 76n), max: 10n ** 76n }),
    fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    fc
      .tuple(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), fc.integer({ min: 0, max: 40 }))
      .map(([a, b]) => a * 10n ** BigInt(b)),
  )
  .map((units) => exactly(unitsText(units, 36)));

describe("amounts in cells", () => {
  test.prop([amounts])("store what they show, half to even", (amount) => {
    const { number, style } = amountCell(amount) as { readonly number: string; readonly style: string };
    expect(number).toBe(shown(exact(amount)));
    expect(new Exact(Number(number).toPrecision(15)).toFixed()).toBe(new Exact(number).toFixed());
    const [whole = "", fraction = ""] = number.split(".");
    const width = whole.length + Math.floor((whole.replace("-", "").length - 1) / 3) + 1 + Math.max(fraction.length, 2);
    expect(style === "general" || (width <= 18 && fraction.length <= 8)).toBe(true);
  });

  test.each([
    ["0", "0", "amount"],
    ["-123456.789012345", "-123456.78901234", "amount"],
    ["1234567890.1235", "1234567890.124", "amount"],
    ["999999999999.995", "999999999999.995", "general"],
    ["12345.123456789", "12345.12345679", "amount"],
    ["0.00595", "0.00595", "amount"],
    ["-0.0000019", "-0.0000019", "amount"],
    ["0.000000123456789", "0.000000123457", "general"],
    ["1000000000000000", "1000000000000000", "general"],
  ])("%s is %s in the style %s", (text, number, style) => {
    const amount = exactly(text);
    expect(amountCell(amount)).toEqual({ number, style });
    expect(amountCell(amount, true)).toEqual({ number, style: `${style}Total` });
  });
});

const MS_PER_DAY = 86_400_000;

test.prop([
  fc.array(fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2040, 0) }), { minLength: 1, maxLength: 20 }),
  fc.constantFrom("UTC", "Europe/London", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"),
])("instants in cells match the zone's clocks, to the millisecond", (times, zone) => {
  const clock = clockOf(zone);
  for (const ms of times) {
    const cell = clock(ms);
    const serial = Number(cell !== null && "number" in cell ? cell.number : Number.NaN);
    // Day 1 of a spreadsheet is 1900-01-01, and it treats 1900 as a leap year. For later dates, 1899-12-30
    // is therefore day 0.
    const shown = new Date(Date.UTC(1899, 11, 30) + Math.round(serial * MS_PER_DAY)).toISOString();
    expect(shown.slice(0, 23)).toBe(localTime(ms, zone).slice(0, 23));
  }
});
