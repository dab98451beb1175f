import { isWhole } from "../../../../accounting/aggregate.ts";
import { type Amount, formatAmount } from "../../../../accounting/amount.ts";
import { WIDE } from "../charts/drawing.ts";
import { type DayValue, timeChart } from "../charts/time-chart.ts";
import { thinned } from "../figures.ts";
import { type Html, html, outside, outsideText } from "../html.ts";
import { compact, money, result } from "../numbers.ts";
import { figure, isUnknown, NOT_KNOWN } from "../parts.ts";
import { column, listTable, numberColumn, opened } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";

interface CumulativeDay {
  readonly day: string;
  readonly net: Amount;
  readonly cumulative: Amount;
  /** The largest so far; at least 0, where the period begins. */
  readonly maximum: Amount;
  /** cumulative − maximum: 0 or below. */
  readonly drawdown: Amount;
}

/** What has been realised so far, by the chosen method, with its running maximum and how far it is below that. */
export function cumulativeFigure({ context, closing }: View, currency: CurrencyView): Html {
  const { period, methods } = context;
  if (isUnknown(currency.sum)) {
    return html`
<p class="note">Cumulative realised, ${outside(currency.name)}, excl. funding: ${NOT_KNOWN}.</p>`;
  }
  const unit = outsideText(currency.name);
  const days = cumulativeDays(currency);
  const deepest = days.reduce<CumulativeDay | null>(
    (worst, day) => (day.drawdown < (worst?.drawdown ?? 0n) ? day : worst),
    null,
  );
  const points = thinned(days, (day) => day === deepest);
  const values = (of: (day: CumulativeDay) => Amount): DayValue[] => [
    { day: period.firstDay, value: 0n },
    ...points.map((day) => ({ day: day.day, value: of(day) })),
  ];
  const drawn = timeChart({
    id: `cumulative-chart-${currency.number}`,
    title: `Cumulative realised, net of recognised fees, with running maximum and drawdown, ${unit}, by ${methods.primary}, excl. funding`,
    description:
      "Above: what was realised since the beginning of the period as a solid line, and its running maximum as a dashed one. Below: how far it is beneath that maximum, as a striped area under zero. The table beneath has the amounts.",
    width: WIDE,
    period,
    months: closing.statement.months.map(({ name }) => name),
    format: (value) => compact(formatAmount(value)),
    panels: [
      {
        axis: `${unit}, cumulative (solid) and its maximum (dashed)`,
        height: 150,
        lines: [
          { kind: "dashed", values: values(({ maximum }) => maximum) },
          { kind: "strong", values: values(({ cumulative }) => cumulative) },
        ],
      },
      { axis: `${unit}, drawdown`, height: 60, lines: [{ kind: "area", values: values(({ drawdown }) => drawdown) }] },
    ],
  });
  return figure(
    drawn,
    html`Cumulative realised, net of recognised fees, with drawdown, ${outside(currency.name)}, by ${methods.primary}, excl. funding`,
    [drawdownText(currency, deepest), daysTable(currency, points, days.length)],
  );
}

function cumulativeDays({ days }: CurrencyView): CumulativeDay[] {
  let cumulative = 0n;
  let maximum = 0n;
  return days.map(({ day, net }) => {
    cumulative += net;
    maximum = cumulative > maximum ? cumulative : maximum;
    return { day, net, cumulative, maximum, drawdown: cumulative - maximum };
  });
}

function drawdownText({ sum }: CurrencyView, deepest: CumulativeDay | null): Html {
  const part = isWhole(sum) ? null : " Fills that are missing, or whose result is not known, are left out.";
  return deepest === null
    ? html`<p class="note">It never fell below its maximum.${part}</p>`
    : html`<p class="note">Largest drawdown: ${result(deepest.drawdown)}, at the end of ${deepest.day}. It is an amount, as the account's equity is not known.${part}</p>`;
}

function daysTable(currency: CurrencyView, points: readonly CumulativeDay[], total: number): Html {
  const name = outside(currency.name);
  const list = listTable<CumulativeDay>({
    id: `cumulative-${currency.number}`,
    caption: html`Cumulative realised by day, ${name}, excl. funding`,
    columns: [
      column("Day", ({ day }) => day),
      numberColumn("Net of fees", ({ net }) => result(net)),
      numberColumn("Cumulative", ({ cumulative }) => result(cumulative)),
      numberColumn("Running maximum", ({ maximum }) => money(maximum)),
      numberColumn("Drawdown", ({ drawdown }) => money(drawdown)),
    ],
    items: points,
    keyOf: ({ day }) => day,
    note:
      points.length === total
        ? "Days of the period's zone on which something was filled."
        : `${points.length} of the ${total} days on which something was filled: cumulative amounts hold all of them.`,
  });
  return opened(html`The days of this chart as a table, ${name}`, list);
}
