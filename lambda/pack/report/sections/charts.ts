import type { Cell } from "../../../accounting/cube/cell.ts";
import { type Amount, ZERO } from "../../../core/amount.ts";
import { counted } from "../../../core/text.ts";
import { columnChart } from "../charts/bars.ts";
import { type Html, html, symbolText } from "../html.ts";
import { compact, glance } from "../numbers.ts";
import { byCurrency, figure, isUnknown, methodName, type Section } from "../parts.ts";
import type { CurrencyView, View } from "../view.ts";
import { columnSums } from "./breakdown.ts";
import { cumulativeFigure, cumulativeTable } from "./cumulative.ts";

/** The period at a glance. The tables after it have the amounts. */
export function chartsSection(view: View): Section {
  const body = byCurrency(
    view,
    (currency) => html`
<div class="pair">${pnlChart(view, currency)}${cumulativeFigure(view, currency)}</div>${cumulativeTable(currency)}`,
  );
  return { id: "charts", body };
}

function pnlChart(view: View, currency: CurrencyView): Html {
  const { unit, columns } = columnSums(view, currency);
  const name = symbolText(currency.name);
  const title = `Net realised PnL by ${unit}, ${name}, ${methodName(view.context)}, excl. funding`;
  const up = columns.filter(({ cell }) => netOf(cell).gt(ZERO)).length;
  const down = columns.filter(({ cell }) => netOf(cell).lt(ZERO)).length;
  const drawn = columnChart({
    id: `pnl-chart-${currency.number}`,
    title,
    description: `One bar for each ${unit}: gains are blue, above the zero line; losses are orange with stripes, below it. ${counted(columns.length, unit)}: ${up} with a gain, ${down} with a loss. The table by month has the amounts.`,
    axis: name,
    format: (value) => compact(String(value)),
    columns: columns.map(({ cell, label, second }) => ({
      label,
      ...(second === undefined ? {} : { second }),
      ...(isUnknown(cell) ? { value: ZERO, mark: "?" } : { value: netOf(cell), mark: glance(netOf(cell)) }),
    })),
  });
  return figure(drawn, title);
}

function netOf({ gross, fees }: Cell): Amount {
  return gross.minus(fees);
}
