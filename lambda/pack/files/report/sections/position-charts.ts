import type { MarketStatement } from "../../../../accounting/statement.ts";
import { formatUnits } from "../../../../core/decimal.ts";
import { dayNumber, daysOf, dayTicks } from "../charts/days.ts";
import { NARROW } from "../charts/drawing.ts";
import { type DayValue, timeChart } from "../charts/time-chart.ts";
import { thinned } from "../figures.ts";
import { type Html, html, outside, outsideText } from "../html.ts";
import { compact, signedUnits } from "../numbers.ts";
import { figure, NOT_KNOWN, numbers } from "../parts.ts";
import { dataTable } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { marketSums } from "./sums.ts";

/** Of so many markets of a currency, those with most fills. */
const MOST_CHARTS = 6;

/** The position over time of the most active markets. */
export function positionCharts(view: View, currency: CurrencyView): Html | null {
  const { shown } = marketSums(view, currency, MOST_CHARTS);
  const charts = shown.flatMap(({ statement }, at) =>
    statement === null
      ? []
      : [positionChart(view, { currency, market: statement, id: `position-${currency.number}-${at + 1}` })],
  );
  return charts.length === 0
    ? null
    : html`
<h4>Position over time, the most active markets</h4>
<div class="pair">${charts}</div>`;
}

interface Subject {
  readonly currency: CurrencyView;
  readonly market: MarketStatement;
  readonly id: string;
}

function positionChart({ context, closing }: View, { currency, market, id }: Subject): Html {
  const { period } = context;
  const { months, positions } = closing.statement;
  const days = positions.filter((position) => position.market === market.market);
  const shown = thinned(days);
  const values: DayValue[] = [
    { day: dayNumber(period.firstDay), value: market.before.position },
    ...shown.map(({ day, position }) => ({ day: dayNumber(day), value: position })),
  ];
  const [name, unit] = [outsideText(market.market), outsideText(currency.name)];
  const title = `Position of ${name} over time, quantity, settled in ${unit}, excl. funding`;
  const drawn = timeChart({
    id: `${id}-chart`,
    title,
    description:
      "A line that steps to the position at the end of each day on which something was filled: long above zero, short below. Grey with dots: not known. The table beneath has the quantities.",
    width: NARROW,
    days: daysOf(period),
    ticks: dayTicks(
      daysOf(period),
      months.map((month) => month.name),
      6,
    ),
    format: (value) => compact(formatUnits(value)),
    panels: [{ axis: "quantity, long above zero", height: 110, lines: [{ kind: "strong", values }] }],
  });
  const caption = html`Position of ${outside(market.market)}, quantity, settled in ${outside(currency.name)}, excl. funding`;
  return figure(
    drawn,
    caption,
    dataTable("The days of this chart as a table", {
      id,
      caption,
      columns: [{ head: "End of day" }, ...numbers("Position")],
      rows: [
        { key: "start", cells: ["Beginning", known(market.before.position)] },
        ...shown.map(({ day, position }) => ({ key: day, cells: [day, known(position)] })),
      ],
      ...(shown.length === days.length ? {} : { note: `${shown.length} of ${days.length} days.` }),
    }),
  );
}

function known(position: bigint | null): Html {
  return position === null ? NOT_KNOWN : signedUnits(position);
}
