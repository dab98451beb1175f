import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { Booked, Funding } from "../../lambda/accounting/booked.ts";
import { blankCloses, type Cell, totalCell } from "../../lambda/accounting/cube/cell.ts";
import { projected } from "../../lambda/accounting/cube/project.ts";
import { METHODS } from "../../lambda/accounting/method.ts";
import { type Amount, totalOf, withSign, ZERO } from "../../lambda/core/amount.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { quoteCurrencyOf } from "../../lambda/core/market.ts";
import { customPeriod, type Period } from "../../lambda/core/period.ts";
import { exactly, unitsText } from "../support/amounts.ts";
import { histories } from "./draw.ts";
import { type Books, type BooksOptions, booksOf, fillsFrom, sumsOf } from "./make.ts";

const RUNS = { numRuns: 300 };
const MARKETS = ["BTC-USDT", "ETH-USDT", "ETH-USD", "SOL-USD"];

const total = (amounts: Iterable<Amount>): Amount => totalOf([...amounts], (amount) => amount);

/** The sums of a cube in the form in which they are added up here. */
function statementOf(books: Books) {
  const { cells } = sumsOf(books);
  const activityOf = (own: readonly Cell[], kind: string) => {
    const { fills, volume, feesPaid, rebates } = totalCell(own.filter((cell) => cell.kind === kind));
    return { fills, volume, feesPaid, rebates };
  };
  const { trips, wonTrips, lostTrips, ties } = totalCell(cells);
  return {
    marketMonths: [...Map.groupBy(cells, ({ month, market, currency }) => [month, market, currency].join(" "))].map(
      ([name, own]) => {
        const [month, market, currency] = name.split(" ");
        const { untyped, closes, blanks, breaks, gross, fees, cashFlow, funding } = totalCell(own);
        const activity = {
          maker: activityOf(own, "maker"),
          taker: activityOf(own, "taker"),
          other: activityOf(own, "other"),
        };
        const unknown = blankCloses({ blanks });
        return {
          ...{
            month,
            market,
            currency,
            activity,
            untyped,
            closes,
            blankCloses: unknown,
            breaks,
            gross,
            fees,
            cashFlow,
          },
          funding: books.own.funding === null ? null : funding,
        };
      },
    ),
    compared: new Map(
      projected(cells, ["currency"])
        .filter(({ closes }) => closes > 0)
        .map(({ currency, comparedGross, comparedFees }) => [currency, { gross: comparedGross, fees: comparedFees }]),
    ),
    trips: { count: trips, won: wonTrips, lost: lostTrips },
    ties,
  };
}

describe("worked examples", () => {
  // 30 at 2.0, with fees of 0.25 % on both sides.
  test.each<[string, string, string, string]>([
    ["short, out at 1.9", "S30@2/0.15 B30@1.9/0.1425", "1 0 -1", "3.7075 2.7075 1.7075"],
    ["short, out at 2.2", "S30@2/0.15 B30@2.2/0.165", "1 -1", "-5.315 -7.315"],
  ])(
    "T14: freqtrade, tests/persistence/test_persistence.py, test_calc_profit: %s, by funding",
    (_, line, paid, nets) => {
      const seen = paid.split(" ").map((text) => String(netWithFunding(line, text)));
      expect(seen.join(" ")).toBe(nets);
    },
  );

  test("T7: Bybit, help page 900000630066: closed P&L of a short, with the funding paid", () => {
    expect(String(netWithFunding("S0.4@6000/1.32 B0.4@5000/1.10", "-2.10"))).toBe("395.48");
  });

  function netWithFunding(line: string, paid: string): Amount {
    const fills = fillsFrom(line);
    const payment = { time: fills[0]?.txCreated ?? 0, market: "BTC-USDT", amount: exactly(paid), currency: "USDT" };
    const { gross, fees, funding, comparedGross, comparedFees } = totalCell(
      sumsOf(booksOf(fills, { funding: [payment] })).cells,
    );
    expect(comparedGross.minus(comparedFees)).toEqual(gross.minus(fees));
    return gross.minus(fees).plus(funding);
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
      amount: fc.bigInt(-(10n ** 40n), 10n ** 40n).map((units) => exactly(unitsText(units, 36))),
      currency: fc.constantFrom("USDT", "USD", "BTC"),
    }),
    { maxLength: 6 },
  );

  test.prop([drawn, spoilt, fc.option(payments), methods, fc.boolean()], RUNS)(
    "by month, market and currency; by day; in trips and ties",
    (whole, luck, funding, method, fromBeginning) => {
      const fills = whole.map((fill, at) => spoil(fill, luck[at % luck.length] ?? 9));
      const books = booksOf(fills, { method, period: PERIOD, funding, fromBeginning });
      expect(statementOf(books)).toMatchObject(plainSums(books.booked, PERIOD, funding));
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
  const grossOf = (own: readonly Row[]) => total(own.map(({ realised }) => realised?.gross ?? ZERO));
  const feesOf = (own: readonly Row[]) => total(own.map(({ realised }) => realised?.fees ?? ZERO));
  const isTyped = ({ trade }: Row): boolean => trade !== null;
  const volume = (own: readonly Row[]): Amount =>
    total(own.map(({ trade }) => (trade === null ? ZERO : trade.quantity.times(trade.price))));
  const feeOf = ({ trade }: Row): Amount => trade?.fee ?? ZERO;
  const activityOf = (own: readonly Row[], kind: string) => {
    const those = own.filter(isTyped).filter(({ fill: { liquidity } }) => (liquidity ?? "other") === kind);
    return {
      fills: those.length,
      volume: volume(those),
      feesPaid: total(those.map(feeOf).filter((fee) => fee.gt(ZERO))),
      rebates: total(those.map(feeOf).filter((fee) => fee.lt(ZERO))),
    };
  };
  const keyOf = (...parts: readonly string[]): string => parts.join(" ");
  const cellKeys = [...rows, ...paid].map(({ month, market, currency }) => keyOf(month, market, currency));
  const marketMonths = sorted(cellKeys).map((key) => {
    const own = rows.filter(({ month, market, currency }) => keyOf(month, market, currency) === key);
    const closes = own.filter((row) => row.closed.gt(ZERO) || (isTyped(row) && row.after === null));
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
          trade === null || before === null ? ZERO : withSign(trade.sign, trade.quantity.times(trade.price)).neg(),
        ),
      ),
      funding: funding === null ? null : total(paid.filter(isPaid).map((one) => one.amount)),
    };
  });
  const typed = rows.filter(isTyped);
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
    compared: new Map(compared as [string, { gross: Amount; fees: Amount }][]),
    trips: {
      count: trips.length,
      won: trips.filter(({ gross }) => gross.gt(ZERO)).length,
      lost: trips.filter(({ gross }) => gross.lt(ZERO)).length,
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
  const broken = (breakFrom: string, asOf: string, quantity = ZERO) => ({
    market: "BTC-USDT",
    quantity,
    price: null,
    asOf: Date.parse(asOf),
    breakFrom: Date.parse(breakFrom),
    where: "opening-positions.csv, line 2",
  });
  const months = (...declared: ReturnType<typeof broken>[]) =>
    statementOf(booksOf([], { declared })).marketMonths.map(({ month, breaks }) => `${month} ${breaks}`);

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
    const { holdings } = booksOf([], { declared: [broken("2025-02-10", "2025-03-01")] });
    expect(holdings.map(({ market }) => market)).toEqual(["BTC-USDT"]);
  });
});

describe("the position that a market brings into the period", () => {
  const opening = (asOf: string, quantity = "3") => ({
    market: "BTC-USDT",
    quantity: exactly(quantity),
    price: exactly("100"),
    asOf: Date.parse(asOf),
    where: "opening-positions.csv, line 2",
  });

  const flat = { ...opening("1970-01-01T00:00:00Z", "0"), market: null };

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
    const { holdings } = booksOf(fillsFrom("S1@100"), options);
    const shown = holdings.map(({ origin, before, after }) => {
      const [carried, left] = [before, after].map(({ position }) => position?.toString() ?? null);
      return `${origin} ${before.blank ?? carried} ${left}`;
    });
    expect(shown).toEqual([expected]);
  });

  test("is the one declared at the end of an earlier break, whatever the market began with", () => {
    const broken = { ...opening("2024-12-31T00:00:00Z"), breakFrom: Date.UTC(2024, 11, 1) };
    const early = fillsFrom("B1@100", { from: Date.UTC(2024, 5, 1) });
    const books = booksOf([...early, ...fillsFrom("S1@100")], { declared: [broken] });
    expect(books.holdings).toMatchObject([{ origin: "declared", before: { position: exactly("3") } }]);
    expect(statementOf(books).marketMonths.map(({ breaks }) => breaks)).toEqual([0]);
  });

  test("includes a position without fills", () => {
    const { holdings } = booksOf([], { declared: [opening("2024-12-31T00:00:00Z")] });
    expect(holdings).toMatchObject([{ market: "BTC-USDT", before: { position: exactly("3") } }]);
  });
});
