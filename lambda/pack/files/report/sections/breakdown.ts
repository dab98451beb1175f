import { type Sum, sumOf } from "../../../../accounting/aggregate.ts";
import type { MarketMonth, MarketStatement } from "../../../../accounting/statement.ts";
import { compareText } from "../../../../core/text.ts";
import { type TimeColumn, type TimeColumns, timeColumns } from "../charts/months.ts";
import { firstOf } from "../figures.ts";
import type { CurrencyView, View } from "../view.ts";

/** A longer period shows only months with activity. */
const ALL_MONTHS = 36;
const MOST_MONTHS = 120;
/** The files have all markets. */
export const MOST_MARKETS = 10;

/** The sum of a month, `2025-03`, or of a market. */
export interface NamedSum {
  readonly name: string;
  readonly sum: Sum;
}

export interface MarketSum extends NamedSum {
  readonly statement: MarketStatement | null;
}

/** The part of a list that is shown, and the sum and number of the others. */
export interface Shown<T> {
  readonly shown: readonly T[];
  readonly left: number;
  readonly rest: Sum;
}

interface Months {
  readonly byMonth: ReadonlyMap<string, readonly MarketMonth[]>;
  /** In order. */
  readonly wanted: readonly string[];
}

function monthsOf({ closing }: View, { marketMonths }: CurrencyView): Months {
  const byMonth = Map.groupBy(marketMonths, ({ month }) => month);
  const names = closing.statement.months.map(({ name }) => name);
  return { byMonth, wanted: names.length <= ALL_MONTHS ? names : names.filter((name) => byMonth.has(name)) };
}

/** The columns of a chart over all months, and the sum of each. */
export function columnSums(
  view: View,
  currency: CurrencyView,
): { readonly unit: TimeColumns["unit"]; readonly columns: readonly (TimeColumn & NamedSum)[] } {
  const { byMonth, wanted } = monthsOf(view, currency);
  const { unit, columns } = timeColumns(wanted);
  const sum = ({ months }: TimeColumn) => sumOf(months.flatMap((name) => byMonth.get(name) ?? []));
  return { unit, columns: columns.map((column) => ({ ...column, sum: sum(column) })) };
}

export function monthSums(view: View, currency: CurrencyView): Shown<NamedSum> {
  const { byMonth, wanted } = monthsOf(view, currency);
  const { shown, left } = firstOf(wanted, MOST_MONTHS);
  return {
    shown: shown.map((name) => ({ name, sum: sumOf(byMonth.get(name) ?? []) })),
    left,
    rest: sumOf(wanted.slice(MOST_MONTHS).flatMap((name) => byMonth.get(name) ?? [])),
  };
}

/** The markets with the most fills, by name. */
export function marketSums({ marketMonths, markets }: CurrencyView, most = MOST_MARKETS): Shown<MarketSum> {
  const byMarket = Map.groupBy(marketMonths, ({ market }) => market);
  const statements = new Map(markets.map((statement) => [statement.market, statement]));
  const all = [...new Set([...byMarket.keys(), ...statements.keys()])].map((name) => ({
    name,
    sum: sumOf(byMarket.get(name) ?? []),
    statement: statements.get(name) ?? null,
  }));
  const byFills = all.toSorted((a, b) => b.sum.fills - a.sum.fills || compareText(a.name, b.name));
  const { shown, left } = firstOf(byFills, most);
  return {
    shown: shown.toSorted((a, b) => compareText(a.name, b.name)),
    left,
    rest: sumOf(byFills.slice(most).flatMap(({ name }) => byMarket.get(name) ?? [])),
  };
}
