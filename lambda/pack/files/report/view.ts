import { type Sum, sumOf } from "../../../accounting/aggregate.ts";
import type { Day, MarketMonth, MarketStatement } from "../../../accounting/statement.ts";
import { compareText } from "../../../core/text.ts";
import type { Closing, PackContext } from "../../build/maker.ts";
import { firstOf } from "./figures.ts";
import type { ShownTrades } from "./shown-trades.ts";

/** The page shows so many settlement currencies, those with most fills. */
const MOST_CURRENCIES = 8;

/** What is settled in one currency. */
export interface CurrencyView {
  readonly name: string;
  /** Of the page, for ids. */
  readonly number: number;
  readonly marketMonths: readonly MarketMonth[];
  readonly sum: Sum;
  readonly days: readonly Day[];
  readonly markets: readonly MarketStatement[];
}

/** All that the page is made from. */
export interface View {
  readonly context: PackContext;
  readonly closing: Closing;
  readonly kept: ShownTrades;
  readonly currencies: readonly CurrencyView[];
  readonly currenciesLeft: number;
  /** Fills of no market with a currency: none of them can be typed. */
  readonly withoutCurrency: number;
}

export function viewOf(context: PackContext, closing: Closing, kept: ShownTrades): View {
  const { marketMonths, days, markets } = closing.statement;
  const monthsOf = Map.groupBy(marketMonths, ({ currency }) => currency);
  const daysOf = Map.groupBy(days, ({ currency }) => currency);
  const marketsOf = Map.groupBy(markets, ({ currency }) => currency);
  const names = new Set([...monthsOf.keys(), ...marketsOf.keys()].filter((name) => name !== ""));
  const ranked = [...names]
    .map((name) => ({ name, sum: sumOf(monthsOf.get(name) ?? []) }))
    .sort((a, b) => b.sum.fills - a.sum.fills || compareText(a.name, b.name));
  const { shown, left } = firstOf(ranked, MOST_CURRENCIES);
  return {
    context,
    closing,
    kept,
    currencies: shown.map(({ name, sum }, at) => ({
      name,
      number: at + 1,
      sum,
      marketMonths: monthsOf.get(name) ?? [],
      days: daysOf.get(name) ?? [],
      markets: marketsOf.get(name) ?? [],
    })),
    currenciesLeft: left,
    withoutCurrency: sumOf(monthsOf.get("") ?? []).untyped,
  };
}
