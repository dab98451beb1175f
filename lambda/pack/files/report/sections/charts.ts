import { netOf, type Sum } from "../../../../accounting/aggregate.ts";
import { formatAmount } from "../../../../accounting/amount.ts";
import { counted } from "../../../../core/text.ts";
import { columnChart, type Part } from "../charts/bars.ts";
import type { TimeColumns } from "../charts/months.ts";
import { type Html, html, symbolText } from "../html.ts";
import { compact, glance } from "../numbers.ts";
import { byCurrency, figure, isUnknown, methodName, type Section, toneOf } from "../parts.ts";
import type { CurrencyView, View } from "../view.ts";
import { columnSums, type NamedSum } from "./breakdown.ts";
import { cumulativeFigure, cumulativeTable } from "./cumulative.ts";
import { sizesChart } from "./trade-sizes.ts";

/** The period at a glance. The tables after it have the amounts. */
export function chartsSection(view: View): Section {
  const body = byCurrency(view, (currency) => {
    const trips = view.kept.trips.get(currency.name);
    return html`
<div class="pair">${pnlChart(view, currency)}${cumulativeFigure(view, currency)}${feesChart(view, currency)}${
      trips === undefined ? null : sizesChart(currency, trips)
    }</div>${cumulativeTable(currency)}`;
  });
  return { id: "charts", body };
}

function pnlChart(view: View, currency: CurrencyView): Html {
  const { context } = view;
  return timeChart(view, currency, {
    id: `pnl-chart-${currency.number}`,
    title: (unit) =>
      `Net realised PnL by ${unit}, ${symbolText(currency.name)}, ${methodName(context, "primary")}, excl. funding`,
    description: (unit, sums) =>
      `One bar for each ${unit}: gains are blue, above the zero line; losses are orange with stripes, below it. ${describe(unit, sums)}`,
    partsOf: (sum) => {
      const net = netOf(sum, "primary");
      return isUnknown(sum) ? [] : [{ value: net, fill: toneOf(net) }];
    },
    markOf: (sum) => (isUnknown(sum) ? "?" : glance(netOf(sum, "primary"))),
  });
}

function describe(unit: TimeColumns["unit"], sums: readonly NamedSum[]): string {
  const up = sums.filter(({ sum }) => netOf(sum, "primary") > 0n).length;
  const down = sums.filter(({ sum }) => netOf(sum, "primary") < 0n).length;
  return `${counted(sums.length, unit)}: ${up} with a gain, ${down} with a loss.`;
}

function feesChart(view: View, currency: CurrencyView): Html {
  return timeChart(view, currency, {
    id: `fees-chart-${currency.number}`,
    title: (unit) => `Fees and rebates by ${unit}, ${symbolText(currency.name)}`,
    description: () => "Fees paid are orange with stripes, above zero. Rebates are blue, below zero.",
    partsOf: ({ feesPaid, rebates }) => [
      { value: feesPaid, fill: "orange" },
      { value: rebates, fill: "blue" },
    ],
    key: { "fees paid": "orange", rebates: "blue" },
  });
}

interface TimeChart {
  readonly id: string;
  readonly title: (unit: TimeColumns["unit"]) => string;
  readonly description: (unit: TimeColumns["unit"], sums: readonly NamedSum[]) => string;
  readonly partsOf: (sum: Sum) => readonly Part[];
  readonly markOf?: (sum: Sum) => string;
  /** The meaning of each filling. */
  readonly key?: Readonly<Record<string, Part["fill"]>>;
}

function timeChart(view: View, currency: CurrencyView, { partsOf, markOf, key = {}, ...chart }: TimeChart): Html {
  const { unit, columns } = columnSums(view, currency);
  const title = chart.title(unit);
  const drawn = columnChart({
    id: chart.id,
    title,
    description: `${chart.description(unit, columns)} The table by month has the amounts.`,
    axis: symbolText(currency.name),
    format: (value) => compact(formatAmount(value)),
    columns: columns.map(({ sum, label, second }) => ({
      label,
      ...(second === undefined ? {} : { second }),
      parts: partsOf(sum),
      ...(markOf === undefined ? {} : { mark: markOf(sum) }),
    })),
  });
  const swatches = Object.entries(key).map(
    ([meaning, fill]) => html`<li><span class="swatch ${fill}"></span>${meaning}</li>`,
  );
  return figure(drawn, title, swatches.length === 0 ? null : html`<ul class="key">${swatches}</ul>`);
}
