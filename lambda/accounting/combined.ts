import { totalOf } from "../core/amount.ts";
import { compareText } from "../core/text.ts";
import { countOf } from "./aggregate.ts";
import type { Result } from "./booked.ts";
import type { DayNet } from "./cube/cube.ts";
import { type ConvertedStatement, monthsIn } from "./rates/converted.ts";
import { byCurrencyAndDate, type RateUse } from "./rates/uses.ts";
import { byMonthAndMarket, type MarketStatement, type Statement } from "./statement.ts";

/** Something that belongs to one account. */
export interface OfAccount<T> {
  readonly account: string;
  readonly own: T;
}

/**
 * The name of a market of one of several accounts. Two accounts have two positions in one market. A fill
 * without a market stays without one.
 */
export function marketOf(account: string, market: string): string {
  return market === "" ? "" : `${market} (${account})`;
}

/** The same for an object that names its market. */
export function withMarketOf<T extends { readonly market: string }>({ account, own }: OfAccount<readonly T[]>): T[] {
  return own.map((one) => ({ ...one, market: marketOf(account, one.market) }));
}

type Parts = readonly [OfAccount<Statement>, ...OfAccount<Statement>[]];

/**
 * Combines the statements of several accounts for one period and one pair of methods. Sums add up; markets
 * stay apart.
 */
export function combinedStatement(parts: Parts): Statement {
  const [{ own: first }] = parts;
  const all = parts.map(({ own }) => own);
  const list = <T extends { readonly market: string }>(of: (statement: Statement) => readonly T[]) =>
    parts.flatMap(({ account, own }) => withMarketOf({ account, own: of(own) }));
  return {
    methods: first.methods,
    months: first.months,
    marketMonths: list(({ marketMonths }) => marketMonths).sort(byMonthAndMarket),
    compared: combinedResults(all.flatMap(({ compared }) => [...compared])),
    markets: list(({ markets }): readonly MarketStatement[] => markets).sort((a, b) => compareText(a.market, b.market)),
    days: combinedDays(all.flatMap(({ days }) => days)),
    trips: {
      count: countOf(all, ({ trips }) => trips.count),
      won: countOf(all, ({ trips }) => trips.won),
      lost: countOf(all, ({ trips }) => trips.lost),
    },
  };
}

function combinedResults(all: readonly (readonly [currency: string, result: Result])[]): Map<string, Result> {
  const results = Map.groupBy(all, ([currency]) => currency);
  return new Map(
    [...results].map(([currency, own]) => [
      currency,
      { gross: totalOf(own, ([, { gross }]) => gross), fees: totalOf(own, ([, { fees }]) => fees) },
    ]),
  );
}

function combinedDays(days: readonly DayNet[]): DayNet[] {
  return [...Map.groupBy(days, ({ day, currency }) => `${day}\n${currency}`).values()]
    .map((same): DayNet => ({ ...(same[0] as DayNet), net: totalOf(same, ({ net }) => net) }))
    .sort((a, b) => compareText(a.day, b.day) || compareText(a.currency, b.currency));
}

/** The same for converted amounts. Null: nothing is converted. */
export function combinedConverted(parts: readonly OfAccount<ConvertedStatement | null>[]): ConvertedStatement | null {
  const known = parts.flatMap(({ account, own }) => (own === null ? [] : [{ account, own }]));
  const [first] = known;
  if (first === undefined) {
    return null;
  }
  const marketMonths = known
    .flatMap(({ account, own }) => withMarketOf({ account, own: own.marketMonths }))
    .sort(byMonthAndMarket);
  return {
    currency: first.own.currency,
    months: monthsIn(marketMonths),
    marketMonths,
    rates: combinedRates(known.flatMap(({ own }) => own.rates)),
  };
}

function combinedRates(rates: readonly RateUse[]): RateUse[] {
  const keyOf = ({ currency, rateDate, source, rate }: RateUse) => JSON.stringify([currency, rateDate, source, rate]);
  return [...Map.groupBy(rates, keyOf).values()]
    .map((same): RateUse => ({ ...(same[0] as RateUse), lines: countOf(same, ({ lines }) => lines) }))
    .sort(byCurrencyAndDate);
}
