import type { OpenLot } from "../../../../accounting/cost-book.ts";
import type { MarketStatement } from "../../../../accounting/statement.ts";
import { magnitude } from "../../../../core/decimal.ts";
import { count } from "../../../../core/text.ts";
import { deferredIn, firstOf, METHOD_INDICES, signedValue } from "../figures.ts";
import { type Html, type HtmlValue, html, outside } from "../html.ts";
import { averagePrice, money, signedUnits, units, utc } from "../numbers.ts";
import { BLANK_REASONS, byCurrency, file, methodColumns, NOT_KNOWN, numbers, type Section } from "../parts.ts";
import { type TableRow, table } from "../table.ts";
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
  const { context } = view;
  const { shown, left } = firstOf(open, MOST_POSITIONS);
  const positions = table({
    id: `positions-${currency.number}`,
    caption: html`Open positions, ${outside(currency.name)}, excl. funding`,
    columns: [
      { head: "Market" },
      { head: "Side" },
      ...numbers("Quantity"),
      ...METHOD_INDICES.flatMap((method) =>
        methodColumns(context, method, ["Open value", "Average entry", "Opening fees carried"]),
      ),
    ],
    rows: shown.map((market) => ({ key: market.market, cells: [outside(market.market), ...positionCells(market)] })),
    note: html`Open value of a short position is below zero. Average entry is open value ÷ quantity, cut to 8 places.${
      left === 0 ? null : ` ${count(left)} more positions are open.`
    }`,
  });
  return html`${positions}${blanksOf(shown)}`;
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

function positionCells({ after }: MarketStatement): HtmlValue[] {
  const { position, blank } = after;
  if (position === null) {
    return [NOT_KNOWN, NOT_KNOWN, ...METHOD_INDICES.flatMap(() => [NOT_KNOWN, NOT_KNOWN, NOT_KNOWN])];
  }
  const quantity = magnitude(position);
  return [
    position < 0n ? "short" : "long",
    signedUnits(position),
    ...METHOD_INDICES.flatMap((method) => {
      const value = signedValue(after, method);
      return blank === null
        ? [money(value), averagePrice(magnitude(value), quantity), money(deferredIn(after, method))]
        : [NOT_KNOWN, NOT_KNOWN, NOT_KNOWN];
    }),
  ];
}

function lotTable({ context }: View, currency: CurrencyView, open: readonly MarketStatement[]): Html | null {
  // Average entry keeps no lots, and it is never the second of the two.
  const lots = open.flatMap(({ market, after }) => after.lots[1].map((lot) => ({ market, lot })));
  if (lots.length === 0) {
    return null;
  }
  const { shown, left } = firstOf(lots, MOST_LOTS);
  return table({
    id: `lots-${currency.number}`,
    caption: html`Open lots by ${context.methods[1]}, ${outside(currency.name)}, excl. funding`,
    columns: [
      { head: "Market" },
      { head: "Opened, UTC" },
      ...numbers("Quantity", "Price", "Open value", "Opening fee carried"),
      { head: "Opened by match, order" },
    ],
    rows: shown.map(lotRow),
    ...(left === 0 ? {} : { note: html`${count(left)} more lots are in ${file(context, "open-positions.csv")}.` }),
  });
}

function lotRow({ market, lot }: { readonly market: string; readonly lot: OpenLot }, at: number): TableRow {
  const { opener, sign, quantity, value, fee } = lot;
  return {
    key: String(at + 1),
    cells: [
      outside(market),
      utc(opener.time),
      signedUnits(sign * quantity),
      units(opener.price),
      money(sign * value),
      money(fee),
      opener.matchId === null ? "declared by the user" : ids([opener.matchId, opener.orderId]),
    ],
  };
}

/** Ids of fills, one beneath another. */
export function ids(values: readonly (string | null)[]): Html {
  return html`<span class="ids">${values.map((value) => (value === null ? null : html`<span>${outside(value)}</span>`))}</span>`;
}
