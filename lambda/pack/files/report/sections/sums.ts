import { type Sum, sumOf } from "../../../../accounting/aggregate.ts";
import type { MarketStatement } from "../../../../accounting/statement.ts";
import { compareText } from "../../../../core/text.ts";
import { checkMarket, type MarketCheck } from "../checks.ts";
import { firstOf } from "../figures.ts";
import { type Html, html } from "../html.ts";
import { file } from "../parts.ts";
import type { CurrencyView, View } from "../view.ts";

/** A long period is shown by the months in which something happened. */
const ALL_MONTHS = 36;
const MOST_MONTHS = 240;
const MOST_MARKETS = 60;

export interface MonthSum {
  /** `2025-03` */
  readonly name: string;
  readonly sum: Sum;
}

export interface MarketSum {
  readonly name: string;
  readonly sum: Sum;
  readonly statement: MarketStatement | null;
}

/** What is shown of a list, and a sentence about the rest. */
export interface Shown<T> {
  readonly shown: readonly T[];
  readonly note: Html | null;
}

export function monthSums({ context, closing }: View, { cells }: CurrencyView): Shown<MonthSum> {
  const byMonth = Map.groupBy(cells, ({ month }) => month);
  const names = closing.statement.months.map(({ name }) => name);
  const wanted = names.length <= ALL_MONTHS ? names : names.filter((name) => byMonth.has(name));
  const { shown, left } = firstOf(wanted, MOST_MONTHS);
  const rows = shown.map((name) => ({ name, sum: sumOf(byMonth.get(name) ?? []) }));
  const note =
    left === 0 ? null : html`${left} more months are in ${file(context, "summary.csv")}; the total holds them.`;
  return { shown: rows, note };
}

/** Those with most fills, by name. */
export function marketSums({ context }: View, { cells, markets }: CurrencyView, most = MOST_MARKETS): Shown<MarketSum> {
  const byMarket = Map.groupBy(cells, ({ market }) => market);
  const statements = new Map(markets.map((statement) => [statement.market, statement]));
  const names = [...new Set([...byMarket.keys(), ...statements.keys()])];
  const all = names.map((name) => ({
    name,
    sum: sumOf(byMarket.get(name) ?? []),
    statement: statements.get(name) ?? null,
  }));
  const { shown, left } = firstOf(
    all.toSorted((a, b) => b.sum.fills - a.sum.fills || compareText(a.name, b.name)),
    most,
  );
  const note =
    left === 0
      ? null
      : html`Those with most fills; ${left} more are in ${file(context, "summary.csv")}. A total holds them.`;
  return { shown: shown.toSorted((a, b) => compareText(a.name, b.name)), note };
}

/** What must hold for the markets that are shown. */
export function marketChecks(view: View, currency: CurrencyView): Shown<MarketCheck> {
  const { shown, note } = marketSums(view, currency);
  const checks = shown.flatMap(({ sum, statement }) =>
    statement === null ? [] : [checkMarket(statement, sum, view.kept)],
  );
  return { shown: checks, note };
}
