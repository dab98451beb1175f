import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { METHODS, type Method } from "../../../../lambda/accounting/method.ts";
import type { Fill } from "../../../../lambda/core/fill.ts";
import { parsePeriod } from "../../../../lambda/core/period.ts";
import { breaksAmong, histories } from "../../../accounting/draw.ts";
import { type BooksOptions, booksOf } from "../../../accounting/make.ts";
import { exact, type Row, rowsIn, tablesOf, total } from "./make.ts";

/** Drawn books: three markets in two currencies, some of them open when the year begins, some with fills that cannot be typed, one with breaks. */

const YEAR = parsePeriod("calendar-2025");
const ONE = 10n ** 18n;

interface Drawn {
  readonly fills: readonly Fill[];
  readonly options: BooksOptions;
  readonly cuts: readonly number[];
}

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    fills: histories({
      markets: ["BTC-USDT", "ETH-USD", "SOL-USDT"],
      most: 60,
      from: Date.UTC(2024, 10, 15),
    }),
    broken: fc.option(fc.nat(59), { freq: 3, nil: null }),
    method: fc.constantFrom<Method>(...METHODS),
    fromBeginning: fc.boolean(),
    isDeclared: fc.boolean(),
    isRestored: fc.boolean(),
    funding: fc.option(fc.bigInt(-(10n ** 38n), 10n ** 38n), { nil: null }),
    breaks: fc.option(breaksAmong("SOL-USDT"), { nil: null }),
    cuts: fc.array(fc.nat(60), { maxLength: 5 }),
  })
  .map(({ fills, broken, method, fromBeginning, isDeclared, isRestored, funding, breaks, cuts }) => {
    const last = fills.at(-1)?.txCreated ?? 0;
    return {
      fills: fills.map((fill, at) => (at === broken ? { ...fill, price: "much" } : fill)),
      options: {
        method,
        fromBeginning,
        declared: [
          ...(isDeclared && !fromBeginning ? declaredOf(fills) : []),
          ...(isRestored && broken !== null ? restoredOf(fills[broken]) : []),
          ...(breaks === null || (isRestored && broken !== null) ? [] : breaks(fills)),
        ],
        funding:
          funding === null
            ? null
            : [
                {
                  time: Math.min(Math.max(last, YEAR.from), YEAR.to - 1),
                  market: "BTC-USDT",
                  amount: funding,
                  currency: "USDT",
                },
              ],
      },
      cuts,
    };
  });

/** At the time of its first fill. */
function declaredOf(fills: readonly Fill[]) {
  const first = fills.find(({ market }) => market === "BTC-USDT");
  return first === undefined
    ? []
    : [{ market: "BTC-USDT", quantity: -2n * ONE, price: 100n * ONE, asOf: first.txCreated, where: "line 2" }];
}

/** After a fill that cannot be typed, its market is known again. */
function restoredOf(fill: Fill | undefined) {
  return fill === undefined
    ? []
    : [{ market: fill.market, quantity: 3n * ONE, price: 99n * ONE, asOf: fill.txCreated + 1, where: "line 3" }];
}

function made({ fills, options, cuts }: Drawn) {
  const books = booksOf(fills, options);
  const tables = tablesOf(books, { cuts, declared: options.declared ?? [] });
  return { books, tables, rows: (path: string) => rowsIn(tables, path) };
}

function by(rows: readonly Row[], ...names: string[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => names.map((name) => row[name]).join(" "));
}

const SUMS = ["volume", "gross_pnl", "fees_recognised", "fees_paid", "rebates", "funding"];
const COUNTS = ["fills", "closes", "closes_with_unknown_pnl"];

describe("over drawn books", () => {
  test.prop([drawn], { numRuns: 150 })("realised-pnl.csv adds up to summary.csv", (book) => {
    const { books, rows } = made(book);
    const realised = by(rows("realised-pnl.csv"), "currency");
    const summary = rows("summary.csv").filter(({ scope }) => scope === "total");
    for (const row of summary) {
      const own = realised.get(row["currency"] ?? "") ?? [];
      const known = own.filter(({ status }) => status === "known");
      if (row["chosen"] === "yes") {
        expect(row["method"]).toBe(books.context.methods.primary);
        expectSums(known, row);
      }
      if (row["method"] === "average") {
        expect(total(known, "average_gross_pnl")).toBe(exact(row["gross_pnl"]));
      }
      expect(by(known, "close_match_id", "close_order_id").size).toBe(Number(row["closes"]));
      expect(own.length - known.length).toBe(Number(row["closes_with_unknown_pnl"]));
    }
    for (const row of rows("realised-pnl.csv").filter(({ status }) => status === "known")) {
      expectMatch(row);
    }
  });

  test.prop([drawn], { numRuns: 150 })("rows of summary.csv add up within themselves, by scope", (book) => {
    const { rows } = made(book);
    const summary = rows("summary.csv");
    for (const own of by(summary, "currency", "method").values()) {
      const whole = own.filter(({ scope }) => scope === "total");
      expect(whole).toHaveLength(1);
      for (const scope of ["month", "market", "month_market"]) {
        const parts = own.filter((row) => row["scope"] === scope);
        for (const name of [...SUMS, ...COUNTS]) {
          expect(total(parts, name), `${scope} ${name}`).toBe(total(whole, name));
        }
      }
    }
    for (const row of summary) {
      expectRow(row);
    }
  });

  test.prop([drawn], { numRuns: 150 })("what one month of summary.csv ends with, the next begins with", (book) => {
    const months = made(book)
      .rows("summary.csv")
      .filter(({ month }) => month !== "");
    for (const own of by(months, "scope", "market", "currency", "method").values()) {
      for (const [at, row] of own.entries()) {
        expectCarried(row, own[at + 1]);
      }
    }
  });

  test.prop([drawn], { numRuns: 150 })("fees.csv adds up to summary.csv, and to the rows of fills.csv", (book) => {
    const { books, rows } = made(book);
    const fees = rows("fees.csv");
    expect(total(fees, "fills")).toBe(exact(String(books.booked.length)));
    const summary = rows("summary.csv").filter(({ scope, chosen }) => scope === "month_market" && chosen === "yes");
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

  test.prop([drawn], { numRuns: 150 })("open-positions.csv is what summary.csv ends with", (book) => {
    const { rows } = made(book);
    const open = by(rows("open-positions.csv"), "market", "method");
    for (const row of rows("summary.csv").filter(({ scope }) => scope === "market")) {
      const { market = "", method = "" } = row;
      const lots = open.get(`${market} ${method}`) ?? [];
      const blank = open.get(`${market} `) ?? [];
      if (row["open_value_at_end"] === "") {
        expect([lots.length, blank.length]).toEqual([0, 1]);
        continue;
      }
      expect(blank).toEqual([]);
      const signed = lots.reduce(
        (sum, { side, open_value }) => sum + (side === "short" ? -1n : 1n) * exact(open_value),
        0n,
      );
      expect(signed).toBe(exact(row["open_value_at_end"]));
      expect(total(lots, "deferred_fee")).toBe(exact(row["deferred_fees_at_end"]));
      const [first, second] = [...open].filter(([key]) => key.startsWith(`${market} `)).map(([, own]) => own);
      expect(total(first ?? [], "quantity")).toBe(total(second ?? [], "quantity"));
    }
  });

  test.prop([drawn], { numRuns: 150 })("every control holds, and applies wherever nothing is blank", (book) => {
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
    expect(controls.filter(({ market }) => market !== "")).toHaveLength(books.statement.markets.length * 7);
  });

  test.prop([drawn], { numRuns: 50 })("what a month carries is what a pack of that month carries", (book) => {
    const year = made(book).rows("summary.csv");
    const months = [...new Set(year.map(({ month }) => month ?? ""))].filter((month) => month !== "");
    for (const month of months) {
      const options = { ...book.options, funding: null, period: parsePeriod(`month-${month}`) };
      const alone = made({ ...book, options, cuts: [] }).rows("summary.csv");
      const own = by(
        alone.filter(({ scope }) => scope === "market"),
        "market",
        "currency",
        "method",
      );
      for (const row of year.filter((one) => one["scope"] === "month_market" && one["month"] === month)) {
        const [other] = own.get(`${row["market"]} ${row["currency"]} ${row["method"]}`) ?? [];
        expectSaid(row, other);
      }
    }
  });
});

const CARRIED = ["deferred_fees_at_start", "deferred_fees_at_end", "open_value_at_start", "open_value_at_end"];

/** Of a month in the summary of its year, which says less where the year is not known throughout, and never something else. */
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

/** A row of realised-pnl.csv by itself. */
function expectMatch(row: Row): void {
  const gross = (row["side"] === "long" ? 1n : -1n) * (exact(row["close_value"]) - exact(row["open_value"]));
  expect(gross).toBe(exact(row["gross_pnl"]));
  const inUnits = (name: string) => exact(row[name]) / ONE;
  expect(inUnits("quantity") * inUnits("close_price")).toBe(exact(row["close_value"]));
  if (row["method"] !== "average") {
    expect(inUnits("quantity") * inUnits("open_price")).toBe(exact(row["open_value"]));
  }
}

/** What must hold within each row of summary.csv. */
function expectRow(row: Row): void {
  const of = (name: string) => exact(row[name]);
  if (row["gross_pnl"] === "") {
    expect(row["is_complete"]).toBe("no");
    expect(row["realised_pnl_net_of_fees_excl_funding"]).toBe("");
    expect(row["closes"]).toBe("0");
    return;
  }
  expect(of("realised_pnl_net_of_fees_excl_funding")).toBe(of("gross_pnl") - of("fees_recognised"));
  if (row["fees_paid"] !== "") {
    expect(of("realised_pnl_fees_expensed_excl_funding")).toBe(of("gross_pnl") - of("fees_paid") - of("rebates"));
  }
  if (row["is_complete"] === "yes") {
    expect(of("deferred_fees_at_start") + of("fees_paid") + of("rebates")).toBe(
      of("fees_recognised") + of("deferred_fees_at_end"),
    );
    expect(row["closes_with_unknown_pnl"]).toBe("0");
  }
  if (row["funding"] === "") {
    expect(row["realised_pnl_net_incl_funding"]).toBe("");
  } else {
    expect(of("realised_pnl_net_incl_funding")).toBe(of("realised_pnl_net_of_fees_excl_funding") + of("funding"));
  }
}

test("an empty period has headers only, but for the count of its fills", () => {
  const tables = tablesOf(booksOf([]));
  for (const [path, text] of tables.texts) {
    expect(rowsIn(tables, path)).toHaveLength(path === "control-totals.csv" ? 1 : 0);
    expect(text.split("\r\n")).toHaveLength(path === "control-totals.csv" ? 3 : 2);
  }
});
