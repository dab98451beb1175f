import { type Holding, openValueIn } from "../../../accounting/holdings.ts";
import { REASONS } from "../../../accounting/reasons.ts";
import { counted } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import { openIn, positionsTable } from "../../tables/positions.ts";
import { tableColumns } from "../columns.ts";
import { figureCell } from "../figures.ts";
import { type Html, html, symbol } from "../html.ts";
import { firstOf } from "../limits.ts";
import { byCurrency, file, methodHead, methodName, NOT_KNOWN, positionOf, type Section, WHOLE } from "../parts.ts";
import { column, listTable, quantityColumn } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { MOST_MARKETS } from "./breakdown.ts";

/** The open positions at the end of the period, at cost. */
export function positionsSection(view: View): Section {
  return {
    id: "positions",
    body: html`
<p>Open positions are shown at cost, not market value. The cost of a short position is negative. Fees carried are opening fees that count when the position is closed. ${file(view.context, WHOLE.lots)} lists every lot.</p>${byCurrency(
      view,
      (currency) => {
        const open = openIn(currency.scope.holdings);
        return open.length === 0
          ? html`<p class="empty">No position is open at the end of the period.</p>`
          : positionTable(view, currency, open);
      },
    )}`,
  };
}

function positionTable({ context }: View, currency: CurrencyView, open: readonly Holding[]): Html {
  const { name, number, scope } = currency;
  const largest = open.toSorted((a, b) => openValueIn(b.after).abs().cmp(openValueIn(a.after).abs()));
  const { shown } = firstOf(largest, MOST_MARKETS);
  const lots = open.reduce((sum, { after }) => sum + after.lots.length, 0);
  const by = lots === 0 ? "" : ` (${counted(lots, "lot")} by ${methodName(context)})`;
  const positions = listTable<Holding>({
    id: `positions-${number}`,
    caption: html`${counted(open.length, "open position")} at cost, ${symbol(name)}${by}`,
    columns: [
      column("Market", (row) => symbol(nameOf(context, row))),
      quantityColumn("Position", ({ after }) => positionOf(after.position)),
      ...tableColumns(positionsTable(context).columns, ["open_value", "average_open_price", "deferred_fee"], {
        currency: () => name,
        empty: NOT_KNOWN,
        group: methodHead(context),
      }),
    ],
    items: largest,
    keyOf: (row) => nameOf(context, row),
    most: MOST_MARKETS,
    foot: [
      "Total",
      null,
      figureCell("open_value_at_end", scope, name),
      null,
      figureCell("deferred_fees_at_end", scope, name),
    ],
    more: (left) =>
      html`The table shows the positions with the highest cost; ${counted(left, "more position")} ${left === 1 ? "is" : "are"} in ${file(context, "open-positions.csv")} and in the total.`,
  });
  const lines = shown.flatMap((row) =>
    row.after.blank === null
      ? []
      : [
          html`
<li>${symbol(nameOf(context, row))}: cost not known, because ${REASONS[row.after.blank].clause}.</li>`,
        ],
  );
  return lines.length === 0
    ? positions
    : html`${positions}
<ul class="reasons">${lines}</ul>`;
}
