import { countOf } from "../../../../accounting/aggregate.ts";
import { REASONS } from "../../../../accounting/reasons.ts";
import type { Carried, MarketStatement } from "../../../../accounting/statement.ts";
import { type Amount, ONE, totalOf } from "../../../../core/amount.ts";
import { counted } from "../../../../core/text.ts";
import { deferredIn, signedValue } from "../../csv/borders.ts";
import { firstOf } from "../figures.ts";
import { type Html, type HtmlValue, html, symbol } from "../html.ts";
import { averagePrice, money } from "../numbers.ts";
import {
  byCurrency,
  file,
  knownHolding,
  methodHead,
  methodName,
  NOT_KNOWN,
  positionOf,
  type Section,
  WHOLE,
} from "../parts.ts";
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
        const open = currency.markets.filter(({ after }) => after.position?.isZero() !== true);
        return open.length === 0
          ? html`<p class="empty">No position is open at the end of the period.</p>`
          : positionTable(view, currency, open);
      },
    )}`,
  };
}

/** The total has no market. */
type Row = MarketStatement | null;

function positionTable({ context }: View, { name, number }: CurrencyView, open: readonly MarketStatement[]): Html {
  const largest = open.toSorted((a, b) => costOf(b).cmp(costOf(a)));
  const { shown } = firstOf(largest, MOST_MARKETS);
  const positions = listTable<Row>({
    id: `positions-${number}`,
    caption: html`${counted(open.length, "open position")} at cost, ${symbol(name)}${lotsOf(context, open)}`,
    columns: [
      column("Market", (row) => (row === null ? "Total" : symbol(row.market))),
      quantityColumn("Position", (row) => (row === null ? null : positionOf(row.after.position))),
      ...costColumns(open, name, methodHead(context)),
    ],
    items: largest,
    keyOf: (row) => row?.market ?? "total",
    most: MOST_MARKETS,
    total: null,
    more: (left) =>
      html`The table shows the positions with the highest cost; ${counted(left, "more position")} ${left === 1 ? "is" : "are"} in ${file(context, "open-positions.csv")} and in the total.`,
  });
  return html`${positions}${reasonsOf(shown)}`;
}

function costOf({ after }: MarketStatement): Amount {
  return signedValue(after).abs();
}

function lotsOf(context: View["context"], open: readonly MarketStatement[]): string {
  const lots = countOf(open, ({ after }) => after.lots.length);
  return lots === 0 ? "" : ` (${counted(lots, "lot")} by ${methodName(context)})`;
}

/** The opening value of a position. */
function costColumns(open: readonly MarketStatement[], currency: string, group: string): ListColumn<Row>[] {
  const isKnown = open.every(({ after }) => after.blank === null);
  const of = (one: (after: Carried) => HtmlValue, total: HtmlValue) => (row: Row) => {
    if (row === null) {
      return total;
    }
    return row.after.position === null || row.after.blank !== null ? NOT_KNOWN : one(row.after);
  };
  const sum = (amount: typeof signedValue) => {
    const total = totalOf(open, ({ after }) => amount(after));
    return knownHolding(total, currency, isKnown);
  };
  return [
    numberColumn(
      "Open value",
      of((after) => money(signedValue(after), currency), sum(signedValue)),
      group,
    ),
    numberColumn(
      "Average open price",
      of((after) => averagePrice(signedValue(after).abs(), (after.position ?? ONE).abs()), null),
      group,
    ),
    numberColumn(
      "Fees carried",
      of((after) => money(deferredIn(after), currency), sum(deferredIn)),
      group,
    ),
  ];
}

function reasonsOf(open: readonly MarketStatement[]): Html | null {
  const lines = open.flatMap(({ market, after: { blank } }) =>
    blank === null
      ? []
      : [
          html`
<li>${symbol(market)}: cost not known, because ${REASONS[blank].clause}.</li>`,
        ],
  );
  return lines.length === 0
    ? null
    : html`
<ul class="reasons">${lines}</ul>`;
}
