import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { Booked, Funding } from "../../../lambda/accounting/booked.ts";
import type { Cell } from "../../../lambda/accounting/cube/cell.ts";
import { projected } from "../../../lambda/accounting/cube/project.ts";
import { createConverter } from "../../../lambda/accounting/rates/converter.ts";
import { createRates } from "../../../lambda/accounting/rates/rates.ts";
import { type Amount, totalOf, ZERO } from "../../../lambda/core/amount.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { exactly, rationalOf } from "../../support/amounts.ts";
import { type Books, type BooksOptions, booksOf, fillsFrom, inCurrency, sumsOf as sumsOfBooks } from "../make.ts";
import { add, divide, type Rational, rational, read, roundHalfEven, subtract, sum, times } from "../rational.ts";
import { fixture, own } from "./make.ts";

const text = (amount: Amount | null) => amount?.toString() ?? null;

const PERIOD = parsePeriod("calendar-2025", "Europe/London");
const RATES = createRates(
  [
    own("usd.csv", "2025-01,USD,GBP,0.81,HMRC", "2025-02,USD,GBP,0.8,HMRC"),
    own("usdt.csv", "2025,USDT,USD,0.999,mean"),
  ],
  {},
);
function tallied(fills: readonly Fill[], funding: readonly Funding[] | null, more: BooksOptions = {}) {
  const books = booksOf(fills, { period: PERIOD, funding, ...more });
  return convertedIn(inCurrency(books, createConverter({ rates: RATES, to: "GBP", zone: PERIOD.zone })));
}

const isConverted = ({ closes, charged, payments }: Cell) => closes + charged + payments > 0;

/** The converted amounts of the months, and of the markets in them. */
function convertedIn(books: Books) {
  const { cells, rates, currency } = sumsOfBooks(books);
  const of = (names: readonly ("month" | "market" | "currency")[]) =>
    projected(cells, names)
      .filter(isConverted)
      .map(({ month, market, currency: own, converted }) => {
        const { gross = ZERO, fees = ZERO, feesPaid = ZERO, rebates = ZERO, funding = ZERO } = converted ?? {};
        const net = gross.minus(fees);
        return { month, market, currency: own, gross, fees, net, feesPaid, rebates, funding };
      });
  return { currency, rates, months: of(["month", "currency"]), marketMonths: of(["month", "market", "currency"]) };
}

describe("converted sums", () => {
  test("of a month, worked by hand", () => {
    // 4 Jan: buy 2 at 100, fee 0.3. 31 Jan 23:30Z: sell 1 at 110, fee 0.11. 1 Feb 00:30Z: sell 1 at 90, a
    // rebate of 0.05.
    const fills = [
      ...fillsFrom("B2@100/0.3", { market: "BTC-USD", from: Date.UTC(2025, 0, 4) }),
      ...fillsFrom("S1@110/0.11 S1@90/-0.05", { market: "BTC-USD", from: Date.UTC(2025, 0, 31, 23, 30) }),
    ];
    const funding = [{ time: Date.UTC(2025, 1, 3), market: "BTC-USD", amount: exactly("-1.5"), currency: "USD" }];
    const { currency, months, rates } = tallied(fills, funding);
    expect(currency).toBe("GBP");
    expect(
      months.map((month) =>
        Object.entries(month).flatMap(([name, value]) => {
          const shown = typeof value === "object" ? `${name} ${value}` : value;
          return name === "market" ? [] : [shown];
        }),
      ),
    ).toEqual([
      // gross 10 × 0.81; fees (0.15 + 0.11) × 0.81; paid 0.41 × 0.81
      ["2025-01", "USD", "gross 8.1", "fees 0.2106", "net 7.8894", "feesPaid 0.3321", "rebates 0", "funding 0"],
      // gross −10 × 0.8; fees (0.15 − 0.05) × 0.8; a rebate of 0.05 × 0.8; funding −1.5 × 0.8
      ["2025-02", "USD", "gross -8", "fees 0.08", "net -8.08", "feesPaid 0", "rebates -0.04", "funding -1.2"],
    ]);
    expect(rates).toEqual([
      { currency: "USD", rate: "0.81", rateDate: "2025-01-01", source: "usd.csv USD/GBP (HMRC)", lines: 3 },
      { currency: "USD", rate: "0.8", rateDate: "2025-02-01", source: "usd.csv USD/GBP (HMRC)", lines: 3 },
    ]);
  });

  test("of a market, and of markets of one currency together", () => {
    const from = Date.UTC(2025, 0, 4);
    const fills = [
      ...fillsFrom("B1@100/0.1/maker S1@110/0.2/taker", { market: "BTC-USD", from }),
      ...fillsFrom("B1@10/-0.3/maker S1@30/0.4/auction", { market: "ETH-USD", from }),
    ];
    const { months, marketMonths } = tallied(fills, null);
    const figures = ({ gross, feesPaid, rebates }: (typeof months)[number]) => [gross, feesPaid, rebates].map(text);
    // At 0.81: gross 10 and 20; paid 0.3 and 0.4; a rebate of 0.3.
    expect(marketMonths.map((one) => [one.market, ...figures(one)])).toEqual([
      ["BTC-USD", "8.1", "0.243", "0"],
      ["ETH-USD", "16.2", "0.324", "-0.243"],
    ]);
    expect(months.map((one) => [one.month, one.currency, ...figures(one)])).toEqual([
      ["2025-01", "USD", "24.3", "0.567", "-0.243"],
    ]);
  });

  test("are empty if nothing was closed or paid", () => {
    const opening = fillsFrom("B1@100", { market: "BTC-EUR", from: Date.UTC(2025, 3, 1) });
    // There is no rate for EUR, and none is needed.
    expect(tallied(opening, [])).toEqual({
      currency: "GBP",
      months: [],
      marketMonths: [],
      rates: [],
    });
  });

  test("leave out funding outside the period", () => {
    const payment = { market: "BTC-USD", amount: exactly("1"), currency: "USD" };
    const funding = [PERIOD.from - 1, PERIOD.to].map((time) => ({ ...payment, time }));
    expect(tallied([], funding).months).toEqual([]);
  });

  test("include fees of closes whose PnL is blank", () => {
    const fills = fillsFrom("S1@100/0.1", { market: "BTC-USD", from: Date.UTC(2025, 0, 5) });
    expect(
      tallied(fills, null, { fromBeginning: false }).months.map(({ gross, feesPaid }) => [text(gross), text(feesPaid)]),
    ).toEqual([["0", "0.081"]]);
  });
});

const side = fc.constantFrom("B", "S");
const decimals = fc.integer({ min: 1, max: 9_999_999 });
const line = fc
  .array(fc.tuple(side, decimals, decimals, fc.integer({ min: -9999, max: 99_999 })), { minLength: 1, maxLength: 25 })
  .map((fills) =>
    fills
      .map(([one, quantity, price, fee]) => `${one}${quantity / 1000}@${price / 100}/${(fee / 1e5).toFixed(5)}`)
      .join(" "),
  );
const method = fc.constantFrom("average" as const, "fifo" as const, "lifo" as const, "hifo" as const);

const LONDON = new Intl.DateTimeFormat("en-CA", { timeZone: "Europe/London" });
/** GBP and USD for one EUR, from the ECB's file. */
const ECB = new Map([
  ["2023-04-27", ["0.88428", "1.1042"]],
  ["2023-04-28", ["0.8805", "1.0981"]],
  ["2023-05-02", ["0.87868", "1.0965"]],
]);

/** Converts USD to GBP at the ECB's last rate at or before the day in London. */
function inPounds(amount: Amount, time: number): Rational {
  const day = [...ECB.keys()].findLast((one) => one <= LONDON.format(time)) ?? "";
  const [pounds = "", dollars = ""] = ECB.get(day) ?? [];
  return roundHalfEven(divide(times(rationalOf(amount), read(pounds)), read(dollars)), 8);
}

interface Sums {
  readonly gross: Rational;
  readonly fees: Rational;
  readonly paid: Rational;
}
const NOTHING: Sums = { gross: rational(0n), fees: rational(0n), paid: rational(0n) };

function sumsOf({ trade, realised, time }: Booked): Sums {
  const matches = realised?.matches ?? [];
  return {
    gross: sum(matches.map((match) => inPounds(match.gross, time))),
    fees: sum(matches.map((match) => inPounds(match.openFee.plus(match.closeFee), time))),
    paid: inPounds(trade?.fee ?? ZERO, time),
  };
}

describe("converted sums tie out", () => {
  const rates = createRates([fixture("eurofxref-hist.csv")], { USDT: "USD" });
  const period = parsePeriod("calendar-2023", "Europe/London");
  const from = Date.UTC(2023, 3, 27, 6);

  test.prop([line, line, method])("with every line converted by another implementation", (usdt, usd, chosenMethod) => {
    const fills = [
      ...fillsFrom(usdt, { market: "BTC-USDT", from, stepMs: 17_000_000 }),
      ...fillsFrom(usd, { market: "BTC-USD", from: from + 1, stepMs: 13_000_000 }),
    ].sort((a, b) => a.txCreated - b.txCreated);
    const books = booksOf(fills, { period, method: chosenMethod });
    const converted = convertedIn(inCurrency(books, createConverter({ rates, to: "GBP", zone: period.zone })));
    const sums = new Map<string, Sums>();
    for (const one of books.booked) {
      const key = `${LONDON.format(one.time).slice(0, 7)} ${one.trade?.currency}`;
      const [all, own] = [sums.get(key) ?? NOTHING, sumsOf(one)];
      sums.set(key, { gross: add(all.gross, own.gross), fees: add(all.fees, own.fees), paid: add(all.paid, own.paid) });
    }
    const months = new Map(converted.months.map((month) => [`${month.month} ${month.currency}`, month]));
    for (const [key, { gross, fees, paid }] of sums) {
      const month = months.get(key) ?? { gross: ZERO, fees: ZERO, net: ZERO, feesPaid: ZERO, rebates: ZERO };
      expect(rationalOf(month.gross)).toEqual(gross);
      expect(rationalOf(month.fees)).toEqual(fees);
      expect(rationalOf(month.net)).toEqual(subtract(gross, fees));
      expect(rationalOf(month.feesPaid.plus(month.rebates))).toEqual(paid);
      expect(month.feesPaid.gte(ZERO) && month.rebates.lte(ZERO)).toBe(true);
    }
    expect([...months.keys()].filter((key) => !sums.has(key))).toEqual([]);
  });

  test.prop([line, method])("with the rows that a file of matches makes", (usd, chosenMethod) => {
    const fills = fillsFrom(usd, { market: "BTC-USD", from, stepMs: 17_000_000 });
    const converter = createConverter({ rates, to: "GBP", zone: period.zone });
    const books = inCurrency(booksOf(fills, { period, method: chosenMethod }), converter);
    const { booked } = books;
    const rows = booked.flatMap(({ closes }) => closes.flatMap(({ converted }) => converted ?? []));
    const { months, rates: used } = convertedIn(books);
    for (const column of ["gross", "fees", "net"] as const) {
      const total = totalOf(months, (month) => month[column]);
      expect(total).toEqual(totalOf(rows, (row) => row[column]));
    }
    const fees = booked.filter(({ trade }) => trade !== null && !trade.fee.isZero()).length;
    expect(used.reduce((all, { lines }) => all + lines, 0)).toBe(rows.length + fees);
  });
});
