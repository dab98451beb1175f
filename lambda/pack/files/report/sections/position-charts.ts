import type { DayPosition, MarketStatement } from "../../../../accounting/statement.ts";
import { formatUnits } from "../../../../core/decimal.ts";
import { count, counted } from "../../../../core/text.ts";
import { timeChart } from "../charts/time-chart.ts";
import { thinned } from "../figures.ts";
import { type Html, html, symbol, symbolText } from "../html.ts";
import { compact } from "../numbers.ts";
import { figure, positionOf } from "../parts.ts";
import { column, listTable, numberColumn, opened } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { marketSums } from "./breakdown.ts";

/** At most this many markets of a currency: those with the most fills. */
const MOST_CHARTS = 2;

/** The position over time of the most active markets that hold one at the end of some day. */
export function positionCharts(view: View, currency: CurrencyView): readonly Html[] {
  const { positions } = view.closing.statement;
  const held = new Set(positions.filter(({ position }) => position !== 0n).map(({ market }) => market));
  const { shown } = marketSums(currency, Number.POSITIVE_INFINITY);
  const drawn = shown
    .toSorted((a, b) => b.sum.fills - a.sum.fills)
    .flatMap(({ statement }) => (statement !== null && held.has(statement.market) ? [statement] : []));
  return drawn
    .slice(0, MOST_CHARTS)
    .map((market, at) => positionChart(view, { currency, market, id: `position-${currency.number}-${at + 1}` }));
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
  const values = [{ day: period.firstDay, position: market.before.position }, ...shown];
  const drawn = timeChart({
    id: `${id}-chart`,
    title: `Position of ${symbolText(market.market)}, quantity, settled in ${symbolText(currency.name)}`,
    description:
      "The line shows the position at the end of each day with fills: long above zero, short below zero. Grey with dots: not known. The table below has the quantities.",
    period,
    months: months.map((month) => month.name),
    format: (value) => compact(formatUnits(value)),
    panels: [
      {
        axis: "quantity, long above zero",
        height: 80,
        lines: [{ kind: "strong", values: values.map(({ day, position }) => ({ day, value: position })) }],
      },
    ],
  });
  const caption = html`Position of ${symbol(market.market)}, quantity, settled in ${symbol(currency.name)}`;
  const list = listTable<Pick<DayPosition, "day" | "position">>({
    id,
    caption,
    columns: [
      column("End of day", ({ day }) => (day === "start" ? "Start" : day)),
      numberColumn("Position", ({ position }) => positionOf(position)),
    ],
    items: [{ day: "start", position: market.before.position }, ...shown],
    keyOf: ({ day }) => day,
    note: shown.length === days.length ? null : `${count(shown.length)} of ${counted(days.length, "day")}.`,
  });
  return figure(drawn, caption, opened(html`This chart as a table, ${symbol(market.market)}`, list));
}
