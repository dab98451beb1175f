import { sideOf } from "../../../../accounting/cost-book.ts";
import { type MethodRole, shownOrder } from "../../../../accounting/method.ts";
import type { Carried, MarketStatement } from "../../../../accounting/statement.ts";
import { magnitude } from "../../../../core/decimal.ts";
import { count } from "../../../../core/text.ts";
import { deferredIn, signedValue } from "../../csv/borders.ts";
import { firstOf } from "../figures.ts";
import { type Html, type HtmlValue, html, outside } from "../html.ts";
import { averagePrice, money, signedUnits, units, utc } from "../numbers.ts";
import { BLANK_REASONS, byCurrency, file, ids, methodName, NOT_KNOWN, positionOf, type Section } from "../parts.ts";
import { column, type ListColumn, listTable, numberColumn } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { positionCharts } from "./position-charts.ts";

/** The page shows so many of each; open-positions.csv has all. */
const MOST_POSITIONS = 60;
const MOST_LOTS = 200;

/** What is open at the end of the period, and how it came to be. */
export function openPositionsSection(view: View): Section {
  return {
    id: "open-positions",
    title: "Open positions at the end, excl. funding",
    body: html`
<p>Nothing open is valued at a market price here: what it was opened for is its open value. ${file(view.context, "open-positions.csv")} has every lot.</p>${byCurrency(
      view,
      (currency) => {
        const open = currency.markets.filter(({ after }) => after.position !== 0n);
        return [
          open.length === 0
            ? html`<p class="empty">No position is open at the end of the period.</p>`
            : [positionTable(view, currency, open), lotTable(view, currency, open)],
          positionCharts(view, currency),
        ];
      },
    )}`,
  };
}

function positionTable(view: View, currency: CurrencyView, open: readonly MarketStatement[]): Html {
  const { shown } = firstOf(open, MOST_POSITIONS);
  const positions = listTable<MarketStatement>({
    id: `positions-${currency.number}`,
    caption: html`Open positions, ${outside(currency.name)}, excl. funding`,
    columns: [
      column("Market", ({ market }) => outside(market)),
      column("Side", ({ after: { position } }) => (position === null ? NOT_KNOWN : sideOf(position))),
      numberColumn("Quantity", ({ after }) => positionOf(after.position)),
      ...shownOrder(view.context.methods).flatMap((role) => lotColumns(role, methodName(view.context, role))),
    ],
    items: open,
    keyOf: ({ market }) => market,
    most: MOST_POSITIONS,
    note: "Open value of a short position is below zero. Average entry is open value ÷ quantity, cut to 8 places.",
    more: (left) => ` ${count(left)} more positions are open.`,
  });
  return html`${positions}${blanksOf(shown)}`;
}

/** What a position was opened for, by one method. */
function lotColumns(role: MethodRole, group: string): ListColumn<MarketStatement>[] {
  const known =
    (of: (after: Carried, position: bigint) => HtmlValue) =>
    ({ after }: MarketStatement) =>
      after.position === null || after.blank !== null ? NOT_KNOWN : of(after, after.position);
  return [
    numberColumn(
      "Open value",
      known((after) => money(signedValue(after, role))),
      group,
    ),
    numberColumn(
      "Average entry",
      known((after, position) => averagePrice(magnitude(signedValue(after, role)), magnitude(position))),
      group,
    ),
    numberColumn(
      "Opening fees carried",
      known((after) => money(deferredIn(after, role))),
      group,
    ),
  ];
}

function blanksOf(open: readonly MarketStatement[]): Html | null {
  const lines = open.flatMap(({ market, after: { blank } }) =>
    blank === null
      ? []
      : [
          html`
<li>${outside(market)} is not known, as ${BLANK_REASONS[blank]}.</li>`,
        ],
  );
  return lines.length === 0
    ? null
    : html`
<ul class="reasons">${lines}</ul>`;
}

function lotTable({ context }: View, currency: CurrencyView, open: readonly MarketStatement[]): Html | null {
  // Average entry keeps no lots, and it is never the second of the two.
  const [, ofLots] = shownOrder(context.methods);
  const lots = open.flatMap(({ market, after }) => after.lots[ofLots].map((lot) => ({ market, lot })));
  if (lots.length === 0) {
    return null;
  }
  return listTable<(typeof lots)[number]>({
    id: `lots-${currency.number}`,
    caption: html`Open lots by ${context.methods[ofLots]}, ${outside(currency.name)}, excl. funding`,
    columns: [
      column("Market", ({ market }) => outside(market)),
      column("Opened, UTC", ({ lot }) => utc(lot.opener.time)),
      numberColumn("Quantity", ({ lot }) => signedUnits(lot.sign * lot.quantity)),
      numberColumn("Price", ({ lot }) => units(lot.opener.price)),
      numberColumn("Open value", ({ lot }) => money(lot.sign * lot.value)),
      numberColumn("Opening fee carried", ({ lot }) => money(lot.fee)),
      column("Opened by match, order", ({ lot: { opener } }) =>
        opener.matchId === null ? "declared by the user" : ids([opener.matchId, opener.orderId]),
      ),
    ],
    items: lots,
    most: MOST_LOTS,
    more: (left) => html`${count(left)} more lots are in ${file(context, "open-positions.csv")}.`,
  });
}
