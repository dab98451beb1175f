import { totalCell } from "../../../accounting/cube/cell.ts";
import { type Amount, ZERO } from "../../../core/amount.ts";
import { counted } from "../../../core/text.ts";
import { columnChart, timeColumns } from "../charts/bars.ts";
import { timeChart } from "../charts/time-chart.ts";
import { type Html, html, symbol, symbolText } from "../html.ts";
import { compact, glance, result } from "../numbers.ts";
import { byCurrency, type CurrencyView, isUnknown, isWhole, methodName, NOT_KNOWN, type View } from "../parts.ts";
import type { Running } from "../running-pnl.ts";
import { monthsOf } from "./results.ts";

/** The period at a glance. */
export function chartsSection(view: View): Html {
  return byCurrency(view, (currency) => {
    if (isUnknown(currency.scope.cell)) {
      return html`
<div class="pair">${pnlChart(view, currency)}
<p class="note">Cumulative realised PnL, ${symbol(currency.name)}, excl. funding: ${NOT_KNOWN}.</p></div>`;
    }
    return html`
<div class="pair">${pnlChart(view, currency)}${cumulativeChart(view, currency)}</div>`;
  });
}

function pnlChart(view: View, currency: CurrencyView): Html {
  const months = new Map(monthsOf(view, currency).map(({ cell }) => [cell.month ?? "", cell]));
  const { unit, columns } = timeColumns([...months.keys()]);
  const bars = columns.map(({ months: own, ...labels }) => {
    const cell = totalCell(own.flatMap((month) => months.get(month) ?? []));
    const value = isUnknown(cell) ? ZERO : cell.gross.minus(cell.fees);
    return { ...labels, value, mark: isUnknown(cell) ? "?" : glance(value) };
  });
  const name = symbolText(currency.name);
  const up = bars.filter(({ value }) => value.gt(ZERO)).length;
  const down = bars.filter(({ value }) => value.lt(ZERO)).length;
  const title = `Net realised PnL by ${unit}, ${name}, ${methodName(view.context)}, excl. funding`;
  const drawn = columnChart({
    id: `pnl-chart-${currency.number}`,
    title,
    description: `One bar for each ${unit}: gains are blue, above the zero line; losses are orange with stripes, below it. ${counted(columns.length, unit)}: ${up} with a gain, ${down} with a loss. The table by month has the amounts.`,
    axis: name,
    format: (value) => compact(String(value)),
    columns: bars,
  });
  return figure(title, drawn);
}

function figure(title: string, drawn: Html, note: Html | null = null): Html {
  return html`
<figure><figcaption>${title}</figcaption>${drawn}${note}</figure>`;
}

function deepestOf(days: readonly Running[]): Running | undefined {
  return days.filter(({ drawdown }) => !drawdown.isZero()).sort((a, b) => a.drawdown.cmp(b.drawdown))[0];
}

/** The most days of a chart. */
const MOST_DAYS = 400;

/** All days, or the last one of each group of days, and the one of the largest drawdown. */
function thinned(days: readonly Running[]): readonly Running[] {
  const every = Math.ceil(days.length / MOST_DAYS);
  const deepest = deepestOf(days);
  return days.filter((day, at) => day === deepest || at % every === every - 1 || at === days.length - 1);
}

/** Cumulative PnL by the chosen method, its running maximum, and the distance below it. */
function cumulativeChart({ context, closing, running }: View, { name, number, scope }: CurrencyView): Html {
  const days = running.of(name);
  const { period } = context;
  const unit = symbolText(name);
  const title = `Cumulative net realised PnL and drawdown, ${unit}, ${methodName(context)}, excl. funding`;
  const values = (of: (day: Running) => Amount) => [
    { day: period.firstDay, value: ZERO },
    ...thinned(days).map((day) => ({ day: day.day, value: of(day) })),
  ];
  const drawn = timeChart({
    id: `cumulative-chart-${number}`,
    title,
    description:
      "Top: PnL since the start of the period as a solid line, and its running maximum as a dashed line. Bottom: the drawdown from that maximum, as a striped area below zero. summary-days.csv has the amounts.",
    period,
    months: closing.sums.months.map((month) => month.name),
    format: (value) => compact(String(value)),
    panels: [
      {
        axis: `${unit}, cumulative (solid), maximum (dashed)`,
        height: 92,
        lines: [
          { kind: "dashed", values: values(({ maximum }) => maximum) },
          { kind: "strong", values: values(({ cumulative }) => cumulative) },
        ],
      },
      { axis: `${unit}, drawdown`, height: 36, lines: [{ kind: "area", values: values(({ drawdown }) => drawdown) }] },
    ],
  });
  const deepest = deepestOf(days);
  const most =
    deepest === undefined
      ? "No drawdown."
      : html`Largest drawdown: ${result(deepest.drawdown, name)}, at the end of ${deepest.day}.`;
  const part = isWhole(scope.cell) ? null : " Fills whose PnL is not known are excluded.";
  return figure(title, drawn, html`<p class="note">${most}${part}</p>`);
}
