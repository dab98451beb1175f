import { unzipSync } from "fflate";
import { readXlsx } from "hucre/xlsx";
import { expect, test } from "vitest";
import type { RoundTrip } from "../../../lambda/accounting/booked.ts";
import type { Posted } from "../../../lambda/accounting/posted.ts";
import { tenTo, wholeNumber, ZERO } from "../../../lambda/core/amount.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { booksOf, fillsFrom } from "../../accounting/make.ts";
import { converterOf } from "../../accounting/rates/make.ts";
import { exactly } from "../../support/amounts.ts";
import { makeFill } from "../../support/make-fill.ts";
import { closingOf, drawFills, workbookOf } from "../books.ts";

const PERIOD = parsePeriod("calendar-2025");

/** The XML of a sheet. */
function sheetXml(bytes: Uint8Array, path: string): string {
  return Buffer.from(unzipSync(bytes)[path] ?? []).toString();
}

test("with more than 100,000 closed trades, the last line counts the rest, and totals cover those shown", () => {
  const books = booksOf([], { period: PERIOD });
  const id = { matchId: "m", orderId: "o" };
  const trip = (at: number): RoundTrip => ({
    market: "BTC-USDT",
    currency: "USDT",
    side: "long",
    openedAt: PERIOD.from,
    closedAt: PERIOD.from + at,
    fills: 2,
    most: exactly("0.000000000000000001"),
    quantity: exactly("0.000000000000000001"),
    openValue: ZERO,
    closeValue: ZERO,
    gross: wholeNumber(at).times(tenTo(-6)),
    fees: exactly("0.000000000000000000000000000000000001"),
    first: id,
    last: id,
  });
  const booked = Array.from(
    { length: 100_003 },
    (_, at) =>
      ({
        account: "main",
        fill: makeFill({}),
        trip: trip(at),
        trade: null,
        before: ZERO,
        closes: [],
        time: PERIOD.from,
      }) as unknown as Posted,
  );
  const xml = sheetXml(workbookOf({ ...books, booked }, { closing: closingOf(books) }), "xl/worksheets/sheet5.xml");
  const tail = xml.slice(xml.indexOf('<row r="100002"'));
  const texts = [...tail.matchAll(/<t [^>]*>([^<]*)<\/t>/g)].map(([, text]) => text);
  expect(texts).toContain("3 more rows are in closed-trades.csv. The totals of this sheet exclude them.");
  expect(tail).toContain("<v>4999.95</v>");
  expect(tail.match(/<row /g)).toHaveLength(3);
});

test("with more than 50,000 closes, the last line counts the rest", async () => {
  const fills = fillsFrom("B1@100 S1@101 ".repeat(50_003), { from: PERIOD.from, stepMs: 1 });
  const books = booksOf(fills, { period: PERIOD });
  const { sheets } = await readXlsx(workbookOf(books));
  const rows = sheets.find(({ name }) => name === "Realised")?.rows ?? [];
  expect(rows).toHaveLength(50_004);
  expect(rows[50_002]?.[0]).toBe("3 more rows are in realised-pnl.csv. The totals of this sheet exclude them.");
  expect(rows[50_003]?.[rows[1]?.indexOf("Gross PnL") ?? -1]).toBe(50_000);
});

test("an incomplete pack is marked on every sheet, with its gaps", async () => {
  const books = booksOf(drawFills(20, PERIOD.from, PERIOD.to), { period: PERIOD });
  const gaps = Array.from({ length: 53 }, (_, at) => ({
    from: PERIOD.from + at * 1000,
    to: PERIOD.from + at * 1000 + 1,
  }));
  const bytes = workbookOf(books, {
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

test("a total is added up exactly before it is rounded to 15 digits", async () => {
  const fills = fillsFrom("B1@1 S1@10000000000000001 B1@1 S1@8 B1@10000000000000001 S1@1", { stepMs: 1 });
  const { sheets } = await readXlsx(workbookOf(booksOf(fills, { period: PERIOD })));
  const rows = sheets.find(({ name }) => name === "Realised")?.rows ?? [];
  const at = rows[1]?.indexOf("Gross PnL") ?? -1;
  expect(rows.at(-1)?.[at]).toBe(7);
});

test("rates are text, and have a sheet", async () => {
  const use = { rate: "0.80123456789012345678", rateDate: "2025-01-31", source: "=ecb" };
  const converter = converterOf({ to: "GBP", convert: (amount) => ({ amount, ...use }) });
  const books = booksOf(fillsFrom("B1@1 S1@2", { market: "BTC-USD" }), { period: PERIOD });
  const { sheets } = await readXlsx(workbookOf(books, { converter }));
  const rows = sheets.find(({ name }) => name === "Rates")?.rows.slice(2) ?? [];
  expect(rows.map((row) => row.filter((_, column) => column !== 4))).toEqual([
    ["USD", "GBP", use.rate, use.rateDate, use.source],
  ]);
});
