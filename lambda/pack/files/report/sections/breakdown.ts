import type { Sum } from "../../../../accounting/aggregate.ts";
import { formatAmount } from "../../../../accounting/amount.ts";
import { columnChart } from "../charts/columns.ts";
import { monthLabels } from "../charts/days.ts";
import { NARROW } from "../charts/drawing.ts";
import { rowChart } from "../charts/rows.ts";
import type { Part } from "../charts/stack.ts";
import { type Html, type HtmlValue, html, outside, outsideText } from "../html.ts";
import { compact } from "../numbers.ts";
import { figure } from "../parts.ts";
import { type TableColumn, table } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { marketSums, monthSums } from "./sums.ts";

/** Figures of a currency, a row a month or a market. */
export interface Breakdown {
  /** For ids. */
  readonly name: string;
  /** `Fees and rebates` */
  readonly title: string;
  readonly columns: readonly TableColumn[];
  readonly cellsOf: (sum: Sum) => readonly HtmlValue[];
  /** Beneath the table, where nothing is left out. */
  readonly note?: HtmlValue;
}

export function monthTable(view: View, currency: CurrencyView, breakdown: Breakdown): Html {
  const { shown, note } = monthSums(view, currency);
  const rows = shown.map(({ name, sum }) => ({ key: name, cells: [name, ...breakdown.cellsOf(sum)] }));
  return tableOf(currency, breakdown, { by: "month", rows, note });
}

export function marketTable(view: View, currency: CurrencyView, breakdown: Breakdown): Html {
  const { shown, note } = marketSums(view, currency);
  const rows = shown.map(({ name, sum }) => ({ key: name, cells: [outside(name), ...breakdown.cellsOf(sum)] }));
  return tableOf(currency, breakdown, { by: "market", rows, note });
}

interface Rows {
  readonly by: "month" | "market";
  readonly rows: readonly { readonly key: string; readonly cells: readonly HtmlValue[] }[];
  readonly note: Html | null;
}

function tableOf(currency: CurrencyView, breakdown: Breakdown, { by, rows, note }: Rows): Html {
  const { name, title, columns, cellsOf } = breakdown;
  return table({
    id: `${name}-${by}s-${currency.number}`,
    caption: html`${title} by ${by}, ${outside(currency.name)}, excl. funding`,
    columns: [{ head: by === "month" ? "Month" : "Market" }, ...columns],
    rows: [...rows, { key: "total", cells: ["Total", ...cellsOf(currency.sum)], isTotal: true }],
    note: note ?? breakdown.note ?? null,
  });
}

export interface Bars extends Pick<Breakdown, "name" | "title"> {
  /** What the parts of a bar are. */
  readonly description: string;
  readonly partsOf: (sum: Sum) => readonly Part[];
  /** What each filling means. */
  readonly key: Readonly<Record<string, Part["fill"]>>;
}

/** A bar has so much room in a chart of markets. */
const MOST_BARS = 12;

/** One chart by month, one by market. */
export function chartPair(view: View, currency: CurrencyView, { name, title, description, partsOf, key }: Bars): Html {
  const months = monthSums(view, currency).shown;
  const labels = monthLabels(months.map((month) => month.name));
  const markets = marketSums(view, currency, MOST_BARS);
  const unit = outsideText(currency.name);
  const titleBy = (by: string) => `${title} by ${by}, ${unit}, excl. funding`;
  const common = {
    description: `${description} The table beneath has the amounts.`,
    width: NARROW,
    axis: unit,
    format: (value: bigint) => compact(formatAmount(value)),
  };
  const byMonth = columnChart({
    ...common,
    id: `${name}-months-chart-${currency.number}`,
    title: titleBy("month"),
    columns: months.map(({ sum }, at) => ({ label: "", ...labels[at], parts: partsOf(sum) })),
  });
  const byMarket = rowChart({
    ...common,
    id: `${name}-markets-chart-${currency.number}`,
    title: titleBy("market"),
    rows: markets.shown.map((market) => ({ label: outsideText(market.name), parts: partsOf(market.sum) })),
  });
  const swatches = Object.entries(key).map(
    ([meaning, fill]) => html`<li><span class="swatch ${fill}"></span>${meaning}</li>`,
  );
  return html`
<div class="pair">${figure(byMonth, titleBy("month"))}${figure(byMarket, titleBy("market"), markets.note === null ? null : html`<p class="note">${markets.note}</p>`)}</div>
<ul class="key">${swatches}</ul>`;
}
