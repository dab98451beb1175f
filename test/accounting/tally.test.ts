import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { type Amount, formatAmount } from "../../lambda/accounting/amount.ts";
import type { Booked } from "../../lambda/accounting/booked.ts";
import { METHODS } from "../../lambda/accounting/method.ts";
import type { Activity, Liquidity, Statement } from "../../lambda/accounting/statement.ts";
import type { Funding } from "../../lambda/accounting/tally.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { quoteCurrencyOf } from "../../lambda/core/market.ts";
import { customPeriod, type Period } from "../../lambda/core/period.ts";
import { histories } from "./draw.ts";
import { type BooksOptions, booksOf, fillsFrom } from "./make.ts";
import { parseAmount } from "./rational.ts";

const RUNS = { numRuns: 300 };
const MARKETS = ["BTC-USDT", "ETH-USDT", "ETH-USD", "SOL-USD"];

const total = (amounts: Iterable<Amount>): Amount => [...amounts].reduce((all, amount) => all + amount, 0n);

/** PnL less fees, plus funding, over all marketMonths. */
function netOf({ marketMonths }: Statement): Amount {
  return total(marketMonths.map(({ gross, fees, funding }) => gross - fees + (funding ?? 0n)));
}

describe("worked examples", () => {
  // 30 at 2.0, with fees of 0.25 % on both sides.
  test.each<[string, string, string, string]>([
    ["short, out at 1.9", "S30@2/0.15 B30@1.9/0.1425", "1 0 -1", "3.7075 2.7075 1.7075"],
    ["short, out at 2.2", "S30@2/0.15 B30@2.2/0.165", "1 -1", "-5.315 -7.315"],
  ])(
    "T14: freqtrade, tests/persistence/test_persistence.py, test_calc_profit: %s, by funding",
    (_, line, paid, nets) => {
      const seen = paid.split(" ").map((text) => formatAmount(netWithFunding(line, text)));
      expect(seen.join(" ")).toBe(nets);
    },
  );

  test("T7: Bybit, help page 900000630066: closed P&L of a short, with the funding paid", () => {
    expect(formatAmount(netWithFunding("S0.4@6000/1.32 B0.4@5000/1.10", "-2.10"))).toBe("395.48");
  });

  const withoutFunding = <T>(one: T) => ({ ...one, funding: null });

  function netWithFunding(line: string, paid: string): Amount {
    const fills = fillsFrom(line);
    const payment = { time: fills[0]?.txCreated ?? 0, market: "BTC-USDT", amount: parseAmount(paid), currency: "USDT" };
    const { statement } = booksOf(fills, { funding: [payment] });
    const [{ gross, fees } = { gross: 0n, fees: 0n }] = statement.compared.values();
    expect(gross - fees).toBe(netOf({ ...statement, marketMonths: statement.marketMonths.map(withoutFunding) }));
    return netOf(statement);
  }
});

/** About four months in the middle of the drawn times. */
const PERIOD = customPeriod("2025-02-10", "2025-06-05", "Europe/London");
const drawn = histories({ markets: MARKETS, from: Date.UTC(2025, 0, 20) });
const methods = fc.constantFrom(...METHODS);

describe("a statement is the plain sum of what was booked", () => {
  const spoilt = fc.array(fc.nat(9), { minLength: 1, maxLength: 20 });
  const payments = fc.array(
    fc.record({
      time: fc.oneof(
        fc.constantFrom(PERIOD.from - 1, PERIOD.from, PERIOD.to - 1, PERIOD.to),
        fc.integer({ min: Date.UTC(2025, 1, 1), max: Date.UTC(2025, 6, 1) }),
      ),
      market: fc.constantFrom(...MARKETS),
      amount: fc.bigInt(-(10n ** 40n), 10n ** 40n),
      currency: fc.constantFrom("USDT", "USD", "BTC"),
    }),
    { maxLength: 6 },
  );

  test.prop([drawn, spoilt, fc.option(payments), methods, fc.boolean()], RUNS)(
    "by month, market and currency; by day; in trips and ties",
    (whole, luck, funding, method, fromBeginning) => {
      const fills = whole.map((fill, at) => spoil(fill, luck[at % luck.length] ?? 9));
      const { booked, statement } = booksOf(fills, { method, period: PERIOD, funding, fromBeginning });
      const plain = plainSums(booked, PERIOD, funding);
      const ties = statement.markets.reduce((sum, market) => sum + market.ties, 0);
      expect({ ...statement, ties, markets: null }).toMatchObject(plain);
    },
  );

  /** Some fills cannot be typed, and some have no market. */
  function spoil(fill: Fill, luck: number): Fill {
    if (luck === 0) {
      return { ...fill, price: null };
    }
    return luck === 1 ? { ...fill, market: null } : fill;
  }
});

/** As slow and plain as possible: each figure goes through all rows again. */
function plainSums(booked: readonly Booked[], period: Period, funding: readonly Funding[] | null) {
  const dayOf = (time: number): string => localDay(time, period.zone);
  const rows = booked.map((one) => ({
    ...one,
    month: dayOf(one.time).slice(0, 7),
    day: dayOf(one.time),
    market: one.fill.market ?? "",
    currency: quoteCurrencyOf(one.fill.market) ?? "",
  }));
  const paid = (funding ?? [])
    .filter(({ time }) => period.from <= time && time < period.to)
    .map((one) => ({ ...one, month: dayOf(one.time).slice(0, 7) }));
  type Row = (typeof rows)[number];
  const grossOf = (own: readonly Row[]) => total(own.map(({ realised }) => realised?.gross ?? 0n));
  const feesOf = (own: readonly Row[]) => total(own.map(({ realised }) => realised?.fees ?? 0n));
  const isTyped = ({ trade }: Row): boolean => trade !== null;
  const volume = (own: readonly Row[]): Amount =>
    total(own.map(({ trade }) => (trade === null ? 0n : trade.quantity * trade.price)));
  const feeOf = ({ trade }: Row): Amount => trade?.fee ?? 0n;
  const activityOf = (own: readonly Row[], kind: Liquidity): Activity => {
    const those = own.filter(isTyped).filter(({ fill: { liquidity } }) => (liquidity ?? "other") === kind);
    return {
      fills: those.length,
      volume: volume(those),
      feesPaid: total(those.map(feeOf).filter((fee) => fee > 0n)),
      rebates: total(those.map(feeOf).filter((fee) => fee < 0n)),
    };
  };
  const keyOf = (...parts: readonly string[]): string => parts.join(" ");
  const cellKeys = [...rows, ...paid].map(({ month, market, currency }) => keyOf(month, market, currency));
  const marketMonths = sorted(cellKeys).map((key) => {
    const own = rows.filter(({ month, market, currency }) => keyOf(month, market, currency) === key);
    const closes = own.filter((row) => row.closed > 0n || (isTyped(row) && row.after === null));
    const isPaid = ({ month, market, currency }: (typeof paid)[number]) => keyOf(month, market, currency) === key;
    const [month = "", market = "", currency = ""] = key.split(" ");
    return {
      month,
      market,
      currency,
      activity: { maker: activityOf(own, "maker"), taker: activityOf(own, "taker"), other: activityOf(own, "other") },
      untyped: own.filter((row) => !isTyped(row)).length,
      closes: closes.filter(({ realised }) => realised !== null).length,
      blankCloses: closes.filter(({ realised }) => realised === null).length,
      gross: grossOf(own),
      fees: feesOf(own),
      cashFlow: total(
        own.map(({ trade, before }) =>
          trade === null || before === null ? 0n : -trade.sign * trade.quantity * trade.price,
        ),
      ),
      funding: funding === null ? null : total(paid.filter(isPaid).map((one) => one.amount)),
    };
  });
  const typed = rows.filter(isTyped);
  const days = sorted(typed.map(({ day, currency }) => keyOf(day, currency))).map((key) => {
    const own = typed.filter(({ day, currency }) => keyOf(day, currency) === key);
    const [day, currency] = key.split(" ");
    return { day, currency, net: grossOf(own) - feesOf(own) };
  });
  const trips = rows.flatMap(({ trip }) => (trip === null ? [] : [trip]));
  const shares = (a: Row): boolean =>
    typed.some((b) => a.market === b.market && a.time === b.time && a.fill.side !== b.fill.side);
  const closed = rows.filter(({ realised }) => realised !== null);
  const compared = sorted(closed.map(({ currency }) => currency)).map((currency) => {
    const own = closed.flatMap((row) => (row.currency === currency && row.realised !== null ? [row.realised] : []));
    const results = own.map((realised) => realised.compared);
    return [
      currency,
      { gross: total(results.map(({ gross }) => gross)), fees: total(results.map(({ fees }) => fees)) },
    ];
  });
  return {
    marketMonths,
    days,
    compared: new Map(compared as [string, { gross: Amount; fees: Amount }][]),
    trips: {
      count: trips.length,
      won: trips.filter(({ gross }) => gross > 0n).length,
      lost: trips.filter(({ gross }) => gross < 0n).length,
    },
    ties: typed.filter(shares).length,
  };
}

const sorted = (keys: readonly string[]): string[] => [...new Set(keys)].toSorted((a, b) => (a < b ? -1 : 1));

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2025-04-25`, by the machine's own calendar. */
function localDay(time: number, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
  formats.set(zone, format);
  return format.format(time);
}

describe("a break that the user declares", () => {
  const broken = (breakFrom: string, asOf: string, quantity = 0n) => ({
    market: "BTC-USDT",
    quantity,
    price: null,
    asOf: Date.parse(asOf),
    breakFrom: Date.parse(breakFrom),
    where: "opening-positions.csv, line 2",
  });
  const months = (...declared: ReturnType<typeof broken>[]) =>
    booksOf([], { declared }).statement.marketMonths.map(({ month, breaks }) => `${month} ${breaks}`);

  test.each([
    ["2025-02-10", "2025-04-01", ["2025-02 1", "2025-03 1"]],
    ["2025-02-10", "2025-02-10", ["2025-02 1"]],
    ["2025-03-01", "2025-03-01", ["2025-03 1"]],
    ["2024-11-01", "2025-01-02", ["2025-01 1"]],
    ["2024-11-01", "2025-01-01", []],
    ["2025-12-31", "2026-03-01", ["2025-12 1"]],
    ["2026-01-01", "2026-03-01", []],
  ])("from %s to %s has a part in these months, also without fills", (from, to, expected) => {
    expect(months(broken(from, to))).toEqual(expected);
  });

  test("puts its market in the period, even if nothing is open at its ends", () => {
    const { statement } = booksOf([], { declared: [broken("2025-02-10", "2025-03-01")] });
    expect(statement.markets.map(({ market }) => market)).toEqual(["BTC-USDT"]);
  });
});

describe("the position that a market brings into the period", () => {
  const ONE = 10n ** 18n;
  const opening = (asOf: string, quantity = 3n) => ({
    market: "BTC-USDT",
    quantity: quantity * ONE,
    price: 100n * ONE,
    asOf: Date.parse(asOf),
    where: "opening-positions.csv, line 2",
  });

  const flat = { ...opening("1970-01-01T00:00:00Z", 0n), market: null };

  test.each<[string, BooksOptions, string]>([
    [
      "is unknown if the fills do not begin with the account, never a silent zero",
      { fromBeginning: false },
      "unknown opening_unknown null",
    ],
    ["is the position declared before it", { declared: [opening("2024-12-31T00:00:00Z")] }, "declared 3 2"],
    [
      "is unknown if it was declared only within the period",
      { declared: [opening("2025-02-01T00:00:00Z")] },
      "declared opening_unknown 2",
    ],
    ["is flat if it was declared flat", { fromBeginning: false, declared: [flat] }, "declared 0 -1"],
    ["is unknown if the contract is not linear", { isLinear: () => false }, "unknown unsupported_contract_type null"],
  ])("%s", (_, options, expected) => {
    const { statement } = booksOf(fillsFrom("S1@100"), options);
    const shown = statement.markets.map(({ origin, before, after }) => {
      const [carried, left] = [before, after].map(({ position }) => position && position / ONE);
      return `${origin} ${before.blank ?? carried} ${left}`;
    });
    expect(shown).toEqual([expected]);
  });

  test("is the one declared at the end of an earlier break, whatever the market began with", () => {
    const broken = { ...opening("2024-12-31T00:00:00Z"), breakFrom: Date.UTC(2024, 11, 1) };
    const early = fillsFrom("B1@100", { from: Date.UTC(2024, 5, 1) });
    const { statement } = booksOf([...early, ...fillsFrom("S1@100")], { declared: [broken] });
    expect(statement.markets).toMatchObject([{ origin: "declared", before: { position: 3n * ONE } }]);
    expect(statement.marketMonths.map(({ breaks }) => breaks)).toEqual([0]);
  });

  test("includes a position without fills", () => {
    const { statement } = booksOf([], { declared: [opening("2024-12-31T00:00:00Z")] });
    expect(statement.markets).toMatchObject([{ market: "BTC-USDT", before: { position: 3n * ONE } }]);
  });
});
