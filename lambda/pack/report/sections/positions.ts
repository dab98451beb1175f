import { deferredIn, type Holding, openValueIn } from "../../../accounting/holdings.ts";
import { REASONS } from "../../../accounting/reasons.ts";
import { counted } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import { averageOpenPrice, openIn } from "../../tables/positions.ts";
import { figureCell } from "../figures.ts";
import { type Html, type HtmlValue, html, symbol } from "../html.ts";
import { firstOf } from "../limits.ts";
import { averagePrice, money, signedMoney } from "../numbers.ts";
import { byCurrency, file, methodHead, methodName, NOT_KNOWN, positionOf, type Section, WHOLE } from "../parts.ts";
import { column, type ListColumn, listTable, numberColumn, quantityColumn } from "../table.ts";
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

/** The total has no market. */
type Row = Holding | null;

function positionTable({ context }: View, currency: CurrencyView, open: readonly Holding[]): Html {
  const { name, number } = currency;
  const largest = open.toSorted((a, b) => openValueIn(b.after).abs().cmp(openValueIn(a.after).abs()));
  const { shown } = firstOf(largest, MOST_MARKETS);
  const lots = open.reduce((sum, { after }) => sum + after.lots.length, 0);
  const by = lots === 0 ? "" : ` (${counted(lots, "lot")} by ${methodName(context)})`;
  const positions = listTable<Row>({
    id: `positions-${number}`,
    caption: html`${counted(open.length, "open position")} at cost, ${symbol(name)}${by}`,
    columns: [
      column("Market", (row) => (row === null ? "Total" : symbol(nameOf(context, row)))),
      quantityColumn("Position", (row) => (row === null ? null : positionOf(row.after.position))),
      ...costColumns(currency, methodHead(context)),
    ],
    items: largest,
    keyOf: (row) => (row === null ? "total" : nameOf(context, row)),
    most: MOST_MARKETS,
    total: null,
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

/** The opening value of a position. */
function costColumns({ scope, name }: CurrencyView, group: string): ListColumn<Row>[] {
  const of = (one: (row: Holding) => HtmlValue, total: HtmlValue) => (row: Row) => {
    if (row === null) {
      return total;
    }
    return row.after.position === null || row.after.blank !== null ? NOT_KNOWN : one(row);
  };
  return [
    numberColumn(
      "Open value",
      of(({ after }) => signedMoney(openValueIn(after), name), figureCell("open_value_at_end", scope, name)),
      group,
    ),
    numberColumn(
      "Average open price",
      of((row) => {
        const price = averageOpenPrice(row);
        return price === null ? null : averagePrice(price);
      }, null),
      group,
    ),
    numberColumn(
      "Fees carried",
      of(({ after }) => money(deferredIn(after), name), figureCell("deferred_fees_at_end", scope, name)),
      group,
    ),
  ];
}
