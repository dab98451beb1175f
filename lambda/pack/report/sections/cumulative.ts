import { type Amount, greatest, ZERO } from "../../../core/amount.ts";
import { count } from "../../../core/text.ts";
import { type DayValue, timeChart } from "../charts/time-chart.ts";
import { type Html, html, symbol, symbolText } from "../html.ts";
import { thinned } from "../limits.ts";
import { compact, money, result } from "../numbers.ts";
import { figure, isUnknown, isWhole, methodName, NOT_KNOWN } from "../parts.ts";
import { column, listTable, numberColumn, opened } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";

interface CumulativeDay {
  readonly day: string;
  readonly net: Amount;
  readonly cumulative: Amount;
  /** The largest value so far, at least 0, with which the period begins. */
  readonly maximum: Amount;
  /** cumulative − maximum; at most 0. */
  readonly drawdown: Amount;
}

/** Cumulative PnL by the chosen method, its running maximum, and the distance below it. */
export function cumulativeFigure({ context, closing }: View, currency: CurrencyView): Html {
  const { period } = context;
  if (isUnknown(currency.scope.cell)) {
    return html`
<p class="note">Cumulative realised PnL, ${symbol(currency.name)}, excl. funding: ${NOT_KNOWN}.</p>`;
  }
  const unit = symbolText(currency.name);
  const title = `Cumulative net realised PnL and drawdown, ${unit}, ${methodName(context)}, excl. funding`;
  const { points, deepest } = cumulativeOf(currency);
  const values = (of: (day: CumulativeDay) => Amount): DayValue[] => [
    { day: period.firstDay, value: ZERO },
    ...points.map((day) => ({ day: day.day, value: of(day) })),
  ];
  const drawn = timeChart({
    id: `cumulative-chart-${currency.number}`,
    title,
    description:
      "Top: PnL since the start of the period as a solid line, and its running maximum as a dashed line. Bottom: the drawdown from that maximum, as a striped area below zero. The table below has the amounts.",
    period,
    months: closing.sums.months.map(({ name }) => name),
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
  return figure(drawn, title, drawdownText(currency, deepest));
}

interface Cumulative {
  /** The number of days with fills. */
  readonly days: number;
  /** The days in the chart and in its table. */
  readonly points: readonly CumulativeDay[];
  /** The day of the largest drawdown. Null: there is none. */
  readonly deepest: CumulativeDay | null;
}

function cumulativeOf({ days }: CurrencyView): Cumulative {
  let cumulative = ZERO;
  let maximum = ZERO;
  const all = days.map(({ day, net }): CumulativeDay => {
    cumulative = cumulative.plus(net);
    maximum = greatest(cumulative, maximum);
    return { day, net, cumulative, maximum, drawdown: cumulative.minus(maximum) };
  });
  const deepest = all.reduce<CumulativeDay | null>(
    (worst, day) => (day.drawdown.lt(worst?.drawdown ?? ZERO) ? day : worst),
    null,
  );
  return { days: days.length, points: thinned(all, (day) => day === deepest), deepest };
}

function drawdownText({ scope, name }: CurrencyView, deepest: CumulativeDay | null): Html {
  const part = isWhole(scope.cell) ? null : " Fills whose PnL is not known are excluded.";
  return deepest === null
    ? html`<p class="note">No drawdown.${part}</p>`
    : html`<p class="note">Largest drawdown: ${result(deepest.drawdown, name)}, at the end of ${deepest.day}.${part}</p>`;
}

/** The amounts of that chart. Null: none is known. */
export function cumulativeTable(currency: CurrencyView): Html | null {
  if (isUnknown(currency.scope.cell)) {
    return null;
  }
  const { days, points } = cumulativeOf(currency);
  const { name } = currency;
  const list = listTable<CumulativeDay>({
    id: `cumulative-${currency.number}`,
    caption: html`Cumulative realised PnL by day, ${symbol(name)}, excl. funding`,
    columns: [
      column("Day", ({ day }) => day),
      numberColumn("Net PnL", ({ net }) => result(net, name)),
      numberColumn("Cumulative", ({ cumulative }) => result(cumulative, name)),
      numberColumn("Running maximum", ({ maximum }) => money(maximum, name)),
      numberColumn("Drawdown", ({ drawdown }) => money(drawdown, name)),
    ],
    items: points,
    keyOf: ({ day }) => day,
    note:
      points.length === days
        ? "Days with fills, in the time zone of the period."
        : `${count(points.length)} of the ${count(days)} days with fills are listed. Cumulative amounts include all days.`,
  });
  return opened(html`Cumulative PnL by day as a table, ${symbol(name)}`, list);
}
