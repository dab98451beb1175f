import { isWhole, type Sum, sumOf } from "../../../accounting/aggregate.ts";
import type { Result } from "../../../accounting/booked.ts";
import type { DayNet } from "../../../accounting/cube/cube.ts";
import type { MarketMonth, MarketStatement } from "../../../accounting/statement.ts";
import { ZERO } from "../../../core/amount.ts";
import type { Closing, PackContext } from "../../build/maker.ts";
import { currencySums } from "../../catalogue/net.ts";
import { firstOf, unknownIn } from "./figures.ts";
import type { ShownFills } from "./shown-trades.ts";

/** The page shows this many settlement currencies: those with the most fills. */
const MOST_CURRENCIES = 8;

/** Everything that is settled in one currency. */
export interface CurrencyView {
  readonly name: string;
  /** Its number on the page, for ids. */
  readonly number: number;
  readonly marketMonths: readonly MarketMonth[];
  readonly sum: Sum;
  /** The result under the method for comparison. */
  readonly compared: Result;
  /** The sum of markets whose PnL is missing, wholly or in part. */
  readonly unknown: Sum;
  readonly days: readonly DayNet[];
  readonly markets: readonly MarketStatement[];
}

/** Markets with a fill in the period or a position at one of its ends, by how much of their PnL is known. */
export interface Standing {
  readonly markets: number;
  /** Markets with no known PnL, and markets with partly known PnL. */
  readonly missing: number;
  readonly partial: number;
  /** Fills with unknown PnL, including those without a market. */
  readonly unknownFills: number;
}

/** Everything that the page is made from. */
export interface View {
  readonly context: PackContext;
  readonly closing: Closing;
  readonly kept: ShownFills;
  readonly currencies: readonly CurrencyView[];
  readonly currenciesLeft: number;
  /** Fills without a market that has a currency. None of them can be classified. */
  readonly withoutCurrency: number;
  readonly standing: Standing;
}

export function viewOf(context: PackContext, closing: Closing, kept: ShownFills): View {
  const { marketMonths, compared, days, markets } = closing.statement;
  const monthsOf = Map.groupBy(marketMonths, ({ currency }) => currency);
  const daysOf = Map.groupBy(days, ({ currency }) => currency);
  const marketsOf = Map.groupBy(markets, ({ currency }) => currency);
  const { shown, left } = firstOf(currencySums(closing.statement), MOST_CURRENCIES);
  return {
    context,
    closing,
    kept,
    currencies: shown.map(({ name, sum }, at) => ({
      name,
      number: at + 1,
      sum,
      compared: compared.get(name) ?? { gross: ZERO, fees: ZERO },
      unknown: sumOf(ofUnknownMarkets(monthsOf.get(name) ?? [])),
      marketMonths: monthsOf.get(name) ?? [],
      days: daysOf.get(name) ?? [],
      markets: marketsOf.get(name) ?? [],
    })),
    currenciesLeft: left,
    withoutCurrency: sumOf(monthsOf.get("") ?? []).untyped,
    standing: standingOf(markets, marketMonths),
  };
}

function ofUnknownMarkets(marketMonths: readonly MarketMonth[]): readonly MarketMonth[] {
  return [...Map.groupBy(marketMonths, ({ market }) => market).values()].filter((own) => !isWhole(sumOf(own))).flat();
}

function standingOf(markets: readonly MarketStatement[], marketMonths: readonly MarketMonth[]): Standing {
  const byMarket = Map.groupBy(marketMonths, ({ market }) => market);
  const named = markets.filter(({ market }) => market !== "");
  const unknown = named.map(({ market }) => sumOf(byMarket.get(market) ?? [])).filter((sum) => !isWhole(sum));
  const missing = unknown.filter(({ closes }) => closes === 0).length;
  return {
    markets: named.length,
    missing,
    partial: unknown.length - missing,
    unknownFills: unknownIn(sumOf(marketMonths)),
  };
}
