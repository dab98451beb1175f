import { test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { METHOD_NAMES } from "../../../../lambda/accounting/method.ts";
import type { Converter } from "../../../../lambda/accounting/rates/converter.ts";
import { divide, wholeNumber } from "../../../../lambda/core/amount.ts";
import { parsePeriod } from "../../../../lambda/core/period.ts";
import type { EndConverter } from "../../../../lambda/pack/files/csv/open-positions.ts";
import { type Drawn, drawn } from "../../../accounting/draw-books.ts";
import { booksOf, convertedOf } from "../../../accounting/make.ts";
import { exact, type Row, rowsIn, tablesOf, total } from "./make.ts";

const ONE = 10n ** 18n;

function made({ fills, options, cuts }: Drawn) {
  const books = booksOf(fills, options);
  const tables = tablesOf(books, { cuts, declared: options.declared ?? [] });
  return { books, tables, rows: (path: string) => rowsIn(tables, path) };
}

/** One rate to the euro for each currency, independent of the day. */
const RATES: Readonly<Record<string, [number, number]>> = { USDT: [10, 11], USD: [7, 8] };

/** The same books with everything converted. */
function converted({ fills, options, cuts }: Drawn) {
  const books = booksOf(fills, options);
  const converter: EndConverter & Converter = {
    to: "EUR",
    convert: (amount, currency) => {
      const [numerator, denominator] = RATES[currency] ?? [1, 1];
      const inEuros = divide(amount.times(wholeNumber(numerator)), wholeNumber(denominator), 36);
      return { amount: inEuros, rate: "1", rateDate: "2025-01-01", source: "a test" };
    },
    convertIfKnown: () => null,
  };
  const told = { converted: convertedOf(books, converter) };
  const tables = tablesOf(books, { cuts, declared: options.declared ?? [], converter, endConverter: converter, told });
  return { rows: (path: string) => rowsIn(tables, path) };
}

const SUMMARIES = ["summary.csv", "summary-months.csv", "summary-markets.csv", "summary-market-months.csv"];
const CONVERTED = [
  "gross_pnl_converted",
  "fees_recognised_converted",
  "net_converted",
  "fees_paid_converted",
  "rebates_converted",
];

function by(rows: readonly Row[], ...names: string[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => names.map((name) => row[name]).join(" "));
}

const CARRIED = ["deferred_fees_at_start", "deferred_fees_at_end", "open_value_at_start", "open_value_at_end"];
const OF_METHOD = ["gross_pnl", "fees_recognised", "realised_pnl_net_of_fees_excl_funding", ...CARRIED];
const COMMON = ["fills", "volume", "closes", "closes_with_unknown_pnl", "fees_paid", "rebates", "funding"];

describe("over drawn books", () => {
  test.prop([drawn], { numRuns: 150 })("realised-pnl.csv adds up to summary.csv", (book) => {
    const one = made(book);
    const { books, rows } = one;
    const realised = by(rows("realised-pnl.csv"), "currency");
    for (const row of rows("summary.csv")) {
      const own = realised.get(row["currency"] ?? "") ?? [];
      const known = own.filter(({ status }) => status === "known");
      expect(row["method"]).toBe(METHOD_NAMES[books.context.methods.primary]);
      expectSums(known, row);
      expect(by(known, "close_match_id", "close_order_id").size).toBe(Number(row["closes"]));
      expect(own.length - known.length).toBe(Number(row["closes_with_unknown_pnl"]));
    }
    for (const row of rows("realised-pnl.csv").filter(({ status }) => status === "known")) {
      expectMatch(row);
    }
  });

  test.prop([drawn], { numRuns: 150 })("months, markets, and months of markets each add up to summary.csv", (book) => {
    const one = made(book);
    const { rows } = one;
    const totals = by(rows("summary.csv"), "currency");
    const names = [...COMMON, ...OF_METHOD.slice(0, 3)];
    for (const path of SUMMARIES) {
      expectTotals(path, rows(path), totals, names);
    }
    for (const path of SUMMARIES) {
      const keys = one.tables.makers.find((maker) => maker.path === path)?.keys ?? [];
      expect(by(rows(path), ...keys).size).toBe(rows(path).length);
      for (const row of rows(path)) {
        expectRow(row);
      }
    }
  });

  test.prop([drawn], { numRuns: 150 })("each month begins with what the last one ended with", (book) => {
    const one = made(book);
    for (const months of [one.rows("summary-months.csv"), one.rows("summary-market-months.csv")]) {
      for (const own of by(months, "market", "currency").values()) {
        for (const [at, row] of own.entries()) {
          expectCarried(row, own[at + 1]);
        }
      }
    }
  });

  test.prop([drawn], { numRuns: 150 })("fees.csv adds up to the summary, and to the rows of fills.csv", (book) => {
    const { books, rows } = made(book);
    const fees = rows("fees.csv");
    expect(total(fees, "fills")).toBe(exact(String(books.booked.length)));
    const summary = rows("summary-market-months.csv");
    const own = by(fees, "month", "market", "currency");
    for (const row of summary) {
      const parts = own.get(`${row["month"]} ${row["market"]} ${row["currency"]}`) ?? [];
      for (const name of ["fills", "volume", "fees_paid", "rebates"]) {
        expect(total(parts, name)).toBe(exact(row[name]));
      }
      expect(total(parts, "net_fees")).toBe(exact(row["fees_paid"]) + exact(row["rebates"]));
    }
    expect(own.size).toBeLessThanOrEqual(summary.length);
  });

  test.prop([drawn], { numRuns: 150 })(
    "open lots add up to open-positions.csv, which equals the end of the summary",
    (book) => {
      const one = made(book);
      const { rows } = one;
      const positions = by(rows("open-positions.csv"), "market");
      const lots = by(rows("open-lots.csv"), "market");
      const markets = rows("summary-markets.csv").filter((row) => row["currency"] === row["market"]?.split("-").at(-1));
      for (const row of markets) {
        const { market = "" } = row;
        const [position, ...others] = positions.get(market) ?? [];
        expect(others).toEqual([]);
        expectPosition(row, position ?? {}, lots.get(market) ?? []);
      }
      expect([...positions.keys()].filter((market) => !markets.some((row) => row["market"] === market))).toEqual([]);
    },
  );

  test.prop([drawn], { numRuns: 100 })("converted amounts add up in every file", (book) => {
    const { rows } = converted(book);
    const totals = by(rows("summary.csv"), "currency");
    for (const path of SUMMARIES) {
      expectTotals(path, rows(path), totals, CONVERTED);
    }
    const realised = by(rows("realised-pnl.csv"), "currency");
    const fees = by(rows("fees.csv"), "currency");
    for (const [currency, [row]] of totals) {
      const own = realised.get(currency) ?? [];
      expect(total(own, "gross_pnl_converted")).toBe(exact(row?.["gross_pnl_converted"]));
      expect(total(own, "fees_converted")).toBe(exact(row?.["fees_recognised_converted"]));
      expect(total(own, "net_converted")).toBe(exact(row?.["net_converted"]));
      for (const name of ["fees_paid_converted", "rebates_converted"]) {
        expect(total(fees.get(currency) ?? [], name)).toBe(exact(row?.[name]));
      }
      expect(row?.["report_currency"]).toBe("EUR");
    }
  });

  test.prop([drawn], { numRuns: 150 })("every control holds, and applies unless something is blank", (book) => {
    const { books, rows } = made(book);
    const controls = rows("control-totals.csv");
    const isBlank = new Set(
      [
        ...books.statement.markets.filter(({ before, after }) => before.blank !== null || after.blank !== null),
        ...rows("realised-pnl.csv").filter(({ status }) => status !== "known"),
        ...books.statement.marketMonths.filter((cell) => cell.breaks > 0),
        ...books.booked.filter(({ trade }) => trade === null).map(({ fill }) => fill),
      ].map(({ market }) => market),
    );
    for (const row of controls) {
      expect(row["holds"]).toBe(row["reason"] === "" ? "yes" : "not applicable");
      expect(row["difference"]).toBe(row["reason"] === "" ? "0" : "");
      expect(exact(row["left"])).toBe(exact(row["right"]));
      if (!isBlank.has(row["market"] ?? "")) {
        expect(row["holds"]).toBe("yes");
      }
    }
    expect(controls.filter(({ market }) => market !== "")).toHaveLength(books.statement.markets.length * 5);
  });

  test.prop([drawn], { numRuns: 50 })("a month carries the same as a pack of that month", (book) => {
    const year = made(book);
    const rows = year.rows("summary-market-months.csv");
    const months = [...new Set(rows.map(({ month }) => month ?? ""))];
    for (const month of months) {
      const options = { ...book.options, funding: null, period: parsePeriod(`month-${month}`) };
      const alone = made({ ...book, options, cuts: [] }).rows("summary-markets.csv");
      const own = by(alone, "market", "currency");
      for (const row of rows.filter((one) => one["month"] === month)) {
        const [other] = own.get(`${row["market"]} ${row["currency"]}`) ?? [];
        expectSaid(row, other);
      }
    }
  });
});

/**
 * Compares a month in the summary of its year with a pack of that month alone. The year may leave a figure
 * empty if it is not known for the whole year, but never shows another value.
 */
function expectSaid(row: Row, alone: Row | undefined): void {
  for (const name of CARRIED.filter((one) => alone !== undefined && row[one] !== "")) {
    expect(alone?.[name], `${row["month"]} ${row["market"]} ${name}`).toBe(row[name]);
  }
}

function expectCarried(row: Row, next: Row | undefined): void {
  if (next !== undefined && row["open_value_at_end"] !== "" && next["open_value_at_start"] !== "") {
    expect(next["open_value_at_start"]).toBe(row["open_value_at_end"]);
    expect(next["deferred_fees_at_start"]).toBe(row["deferred_fees_at_end"]);
  }
}

function expectSums(realised: readonly Row[], row: Row): void {
  expect(total(realised, "gross_pnl")).toBe(exact(row["gross_pnl"]));
  expect(total(realised, "open_fee") + total(realised, "close_fee")).toBe(exact(row["fees_recognised"]));
  const net = "realised_pnl_net_of_fees_excl_funding";
  expect(total(realised, net)).toBe(exact(row[net]));
}

/** The rows of a file add up to the one row of each currency. */
function expectTotals(path: string, rows: readonly Row[], totals: Map<string, Row[]>, names: readonly string[]): void {
  const parts = by(rows, "currency");
  for (const [currency, whole] of totals) {
    expect(whole).toHaveLength(1);
    for (const name of names) {
      expect(total(parts.get(currency) ?? [], name), `${path} ${name}`).toBe(total(whole, name));
    }
  }
  expect([...parts.keys()].filter((currency) => !totals.has(currency))).toEqual([]);
}

/** Compares a market's row of the summary with open-positions.csv and open-lots.csv. */
function expectPosition(row: Row, position: Row, lots: readonly Row[]): void {
  if (row["open_value_at_end"] === "") {
    expect([position["status"] === "known", position["open_value"], lots.length]).toEqual([false, "", 0]);
    return;
  }
  for (const name of ["quantity", "open_value", "deferred_fee"]) {
    expect(total(lots, name), name).toBe(exact(position[name]));
  }
  expect(lots.length).toBe(Number(position["lots"] ?? 0));
  expect(lots.every(({ side }) => side === position["side"])).toBe(true);
  const sign = position["side"] === "short" ? -1n : 1n;
  expect(sign * exact(position["open_value"])).toBe(exact(row["open_value_at_end"]));
  expect(exact(position["deferred_fee"])).toBe(exact(row["deferred_fees_at_end"]));
}

/** The identities within a row of realised-pnl.csv. */
function expectMatch(row: Row): void {
  const gross = (row["side"] === "long" ? 1n : -1n) * (exact(row["close_value"]) - exact(row["open_value"]));
  expect(gross).toBe(exact(row["gross_pnl"]));
  const inUnits = (name: string) => exact(row[name]) / ONE;
  expect(inUnits("quantity") * inUnits("close_price")).toBe(exact(row["close_value"]));
  if (row["method"] !== METHOD_NAMES.average) {
    expect(inUnits("quantity") * inUnits("open_price")).toBe(exact(row["open_value"]));
  }
}

/** The identities within each row of a summary file. */
function expectRow(row: Row): void {
  const of = (name: string) => exact(row[name]);
  expectResults(row);
  if (row["gross_pnl"] === "") {
    return;
  }
  if (row["fees_paid"] !== "") {
    expect(of("realised_pnl_fees_expensed_excl_funding")).toBe(of("gross_pnl") - of("fees_paid") - of("rebates"));
  }
  if (row["funding"] === "") {
    expect(row["realised_pnl_net_incl_funding"]).toBe("");
  } else {
    expect(of("realised_pnl_net_incl_funding")).toBe(of("realised_pnl_net_of_fees_excl_funding") + of("funding"));
  }
}

/** The identities within it for either method. */
function expectResults(row: Row): void {
  const of = (name: string) => exact(row[name]);
  if (row["gross_pnl"] === "") {
    expect(row["is_complete"]).toBe("no");
    expect(row["realised_pnl_net_of_fees_excl_funding"]).toBe("");
    expect(row["closes"]).toBe("0");
    return;
  }
  expect(of("realised_pnl_net_of_fees_excl_funding")).toBe(of("gross_pnl") - of("fees_recognised"));
  if (row["is_complete"] === "yes") {
    expect(of("deferred_fees_at_start") + of("fees_paid") + of("rebates")).toBe(
      of("fees_recognised") + of("deferred_fees_at_end"),
    );
    expect(row["closes_with_unknown_pnl"]).toBe("0");
  }
}

test("an empty period has only headers and the count of its fills", () => {
  const tables = tablesOf(booksOf([]));
  for (const [path, text] of tables.texts) {
    expect(rowsIn(tables, path)).toHaveLength(path === "control-totals.csv" ? 1 : 0);
    expect(text.split("\r\n")).toHaveLength(path === "control-totals.csv" ? 3 : 2);
  }
});
