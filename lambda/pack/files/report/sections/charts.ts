import { netOf, type Sum } from "../../../../accounting/aggregate.ts";
import { formatAmount } from "../../../../accounting/amount.ts";
import { counted } from "../../../../core/text.ts";
import { columnChart, type Part } from "../charts/bars.ts";
import { monthLabels } from "../charts/months.ts";
import { type Html, html, symbolText } from "../html.ts";
import { compact, glance } from "../numbers.ts";
import { byCurrency, figure, isUnknown, methodName, type Section, toneOf } from "../parts.ts";
import type { CurrencyView, View } from "../view.ts";
import { monthSums, type NamedSum } from "./breakdown.ts";
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
  return monthChart(view, currency, {
    id: `pnl-chart-${currency.number}`,
    title: `Net realised PnL by month, ${symbolText(currency.name)}, ${methodName(context, "primary")}, excl. funding`,
    description: (months) =>
      `One bar for each month: gains are blue, above the zero line; losses are orange with stripes, below it. ${describe(months)}`,
    partsOf: (sum) => {
      const net = netOf(sum, "primary");
      return isUnknown(sum) ? [] : [{ value: net, fill: toneOf(net) }];
    },
    markOf: (sum) => (isUnknown(sum) ? "?" : glance(netOf(sum, "primary"))),
  });
}

function describe(months: readonly NamedSum[]): string {
  const up = months.filter(({ sum }) => netOf(sum, "primary") > 0n).length;
  const down = months.filter(({ sum }) => netOf(sum, "primary") < 0n).length;
  return `${counted(months.length, "month")}: ${up} with a gain, ${down} with a loss.`;
}

function feesChart(view: View, currency: CurrencyView): Html {
  return monthChart(view, currency, {
    id: `fees-chart-${currency.number}`,
    title: `Fees and rebates by month, ${symbolText(currency.name)}`,
    description: () => "Fees paid are orange with stripes, above zero. Rebates are blue, below zero.",
    partsOf: ({ feesPaid, rebates }) => [
      { value: feesPaid, fill: "orange" },
      { value: rebates, fill: "blue" },
    ],
    key: { "fees paid": "orange", rebates: "blue" },
  });
}

interface MonthChart {
  readonly id: string;
  readonly title: string;
  readonly description: (months: readonly NamedSum[]) => string;
  readonly partsOf: (sum: Sum) => readonly Part[];
  readonly markOf?: (sum: Sum) => string;
  /** The meaning of each filling. */
  readonly key?: Readonly<Record<string, Part["fill"]>>;
}

function monthChart(view: View, currency: CurrencyView, { partsOf, markOf, key = {}, ...chart }: MonthChart): Html {
  const months = monthSums(view, currency).shown;
  const labels = monthLabels(months.map(({ name }) => name));
  const drawn = columnChart({
    ...chart,
    description: `${chart.description(months)} The table by month has the amounts.`,
    axis: symbolText(currency.name),
    format: (value) => compact(formatAmount(value)),
    columns: months.map(({ sum }, at) => ({
      label: "",
      ...labels[at],
      parts: partsOf(sum),
      ...(markOf === undefined ? {} : { mark: markOf(sum) }),
    })),
  });
  const swatches = Object.entries(key).map(
    ([meaning, fill]) => html`<li><span class="swatch ${fill}"></span>${meaning}</li>`,
  );
  return figure(drawn, chart.title, swatches.length === 0 ? null : html`<ul class="key">${swatches}</ul>`);
}
