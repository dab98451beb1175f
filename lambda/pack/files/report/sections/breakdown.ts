import { type Sum, sumOf } from "../../../../accounting/aggregate.ts";
import { formatAmount } from "../../../../accounting/amount.ts";
import type { MarketStatement } from "../../../../accounting/statement.ts";
import { compareText } from "../../../../core/text.ts";
import { columnChart, type Part, rowChart } from "../charts/bars.ts";
import { NARROW } from "../charts/drawing.ts";
import { monthLabels } from "../charts/months.ts";
import { firstOf } from "../figures.ts";
import { type Html, type HtmlValue, html, outside, outsideText } from "../html.ts";
import { compact } from "../numbers.ts";
import { figure, file } from "../parts.ts";
import { column, type ListColumn, listTable } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";

/** A long period is shown by the months in which something happened. */
const ALL_MONTHS = 36;
const MOST_MONTHS = 240;
const MOST_MARKETS = 60;
/** A bar has so much room in a chart of markets. */
const MOST_BARS = 12;

/** Of a month, `2025-03`, or of a market. */
export interface NamedSum {
  readonly name: string;
  readonly sum: Sum;
}

export interface MarketSum extends NamedSum {
  readonly statement: MarketStatement | null;
}

/** What is shown of a list, and a sentence about the rest. */
export interface Shown<T> {
  readonly shown: readonly T[];
  readonly note: Html | null;
}

export function monthSums({ context, closing }: View, { marketMonths }: CurrencyView): Shown<NamedSum> {
  const byMonth = Map.groupBy(marketMonths, ({ month }) => month);
  const names = closing.statement.months.map(({ name }) => name);
  const wanted = names.length <= ALL_MONTHS ? names : names.filter((name) => byMonth.has(name));
  const { shown, left } = firstOf(wanted, MOST_MONTHS);
  return {
    shown: shown.map((name) => ({ name, sum: sumOf(byMonth.get(name) ?? []) })),
    note: left === 0 ? null : html`${left} more months are in ${file(context, "summary.csv")}; the total holds them.`,
  };
}

/** Those with most fills, by name. */
export function marketSums(
  { context }: View,
  { marketMonths, markets }: CurrencyView,
  most = MOST_MARKETS,
): Shown<MarketSum> {
  const byMarket = Map.groupBy(marketMonths, ({ market }) => market);
  const statements = new Map(markets.map((statement) => [statement.market, statement]));
  const all = [...new Set([...byMarket.keys(), ...statements.keys()])].map((name) => ({
    name,
    sum: sumOf(byMarket.get(name) ?? []),
    statement: statements.get(name) ?? null,
  }));
  const byFills = all.toSorted((a, b) => b.sum.fills - a.sum.fills || compareText(a.name, b.name));
  const { shown, left } = firstOf(byFills, most);
  const rest = html`Those with most fills; ${left} more are in ${file(context, "summary.csv")}. A total holds them.`;
  return { shown: shown.toSorted((a, b) => compareText(a.name, b.name)), note: left === 0 ? null : rest };
}

/** Figures of a currency, a row a month or a market. */
export interface Breakdown {
  /** For ids. */
  readonly name: string;
  /** `Fees and rebates` */
  readonly title: string;
  readonly columns: readonly ListColumn<Sum>[];
  /** Beneath the table, where nothing is left out. */
  readonly note: string;
}

export function breakdownTable(view: View, currency: CurrencyView, breakdown: Breakdown, by: "month" | "market"): Html {
  const { shown, note }: Shown<NamedSum> = by === "month" ? monthSums(view, currency) : marketSums(view, currency);
  const headOf = (name: string): HtmlValue => (by === "month" ? name : outside(name));
  return listTable<NamedSum & { readonly head: HtmlValue }>({
    id: `${breakdown.name}-${by}s-${currency.number}`,
    caption: html`${breakdown.title} by ${by}, ${outside(currency.name)}, excl. funding`,
    columns: [
      column(by === "month" ? "Month" : "Market", ({ head }) => head),
      ...breakdown.columns.map((one) => ({ ...one, cell: ({ sum }: NamedSum) => one.cell(sum) })),
    ],
    items: shown.map((one) => ({ ...one, head: headOf(one.name) })),
    keyOf: ({ name }) => name,
    total: { name: "total", head: "Total", sum: currency.sum },
    note: note ?? breakdown.note,
  });
}

export interface Bars extends Pick<Breakdown, "name" | "title"> {
  /** What the parts of a bar are. */
  readonly description: string;
  readonly partsOf: (sum: Sum) => readonly Part[];
  /** What each filling means. */
  readonly key: Readonly<Record<string, Part["fill"]>>;
}

/** One chart by month, one by market. */
export function chartPair(view: View, currency: CurrencyView, { name, title, description, partsOf, key }: Bars): Html {
  const months = monthSums(view, currency).shown;
  const labels = monthLabels(months.map((month) => month.name));
  const markets = marketSums(view, currency, MOST_BARS);
  const unit = outsideText(currency.name);
  const frameOf = (by: string) => ({
    id: `${name}-${by}s-chart-${currency.number}`,
    title: `${title} by ${by}, ${unit}, excl. funding`,
    description: `${description} The table beneath has the amounts.`,
    width: NARROW,
    axis: unit,
    format: (value: bigint) => compact(formatAmount(value)),
  });
  const byMonth = columnChart({
    ...frameOf("month"),
    columns: months.map(({ sum }, at) => ({ label: "", ...labels[at], parts: partsOf(sum) })),
  });
  const byMarket = rowChart({
    ...frameOf("market"),
    rows: markets.shown.map((market) => ({ label: outsideText(market.name), parts: partsOf(market.sum) })),
  });
  const swatches = Object.entries(key).map(
    ([meaning, fill]) => html`<li><span class="swatch ${fill}"></span>${meaning}</li>`,
  );
  return html`
<div class="pair">${figure(byMonth, frameOf("month").title)}${figure(byMarket, frameOf("market").title, markets.note === null ? null : html`<p class="note">${markets.note}</p>`)}</div>
<ul class="key">${swatches}</ul>`;
}
