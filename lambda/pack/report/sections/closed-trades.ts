import { type Amount, ZERO } from "../../../core/amount.ts";
import { count, counted } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import { type Ended, tradesTable } from "../../tables/trades.ts";
import { tableColumns } from "../columns.ts";
import { type Html, html, symbol } from "../html.ts";
import { money, result, utc } from "../numbers.ts";
import { byCurrency, file, type Section, stacked } from "../parts.ts";
import { type KeptSide, type KeptTrips, MOST_TRIPS } from "../shown-trades.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";

/** Round trips, from flat to flat. */
export function closedTradesSection(view: View): Section {
  return {
    id: "closed-trades",
    body: html`
<p>A closed trade runs from a flat position back to flat. Its PnL excludes funding and is the same under every method. A trade whose beginning is not in the records is not listed. ${file(view.context, "closed-trades.csv")} lists all closed trades.</p>${byCurrency(
      view,
      (currency) => {
        const trips = view.kept.trips.get(currency.name);
        return trips === undefined
          ? html`<p class="empty">No position was opened and fully closed within the records.</p>`
          : closedTrades(view, currency, trips);
      },
    )}`,
  };
}

function closedTrades(view: View, currency: CurrencyView, trips: KeptTrips): Html {
  return html`${countTable(currency, trips)}${tripTable(view, currency, {
    id: `gains-${currency.number}`,
    title: "Largest gains",
    side: trips.gains,
  })}${tripTable(view, currency, { id: `losses-${currency.number}`, title: "Largest losses", side: trips.losses })}`;
}

interface Outcome {
  readonly key: string;
  readonly label: string;
  readonly trades: number;
  readonly gross: Amount;
}

function countTable({ name, number }: CurrencyView, { gains, losses, even, fees }: KeptTrips): Html {
  return listTable<Outcome>({
    id: `trips-${number}`,
    caption: html`Closed trades, ${symbol(name)}`,
    columns: [
      column("Outcome", ({ label }) => label),
      numberColumn("Trades", ({ trades }) => count(trades)),
      numberColumn("Gross PnL", ({ gross }) => result(gross, name)),
    ],
    items: [
      { key: "won", label: "Gain", trades: gains.count, gross: gains.total },
      { key: "lost", label: "Loss", trades: losses.count, gross: losses.total },
      { key: "even", label: "Break-even", trades: even, gross: ZERO },
    ],
    keyOf: ({ key }) => key,
    total: {
      key: "total",
      label: "Total",
      trades: gains.count + losses.count + even,
      gross: gains.total.plus(losses.total),
    },
    note: html`Fees less rebates of these trades: ${money(fees, name)} ${symbol(name)}.`,
  });
}

interface TripList {
  readonly id: string;
  readonly title: string;
  readonly side: KeptSide;
}

function tripTable({ context }: View, { name }: CurrencyView, { id, title, side }: TripList): Html | null {
  return side.largest.length === 0
    ? null
    : listTable<Ended>({
        id,
        caption: html`${title}, ${symbol(name)}`,
        columns: [
          column(
            "Market",
            ({ account, trip }) =>
              html`${symbol(nameOf(context, { ...trip, account }))} <small>${trip.side}, ${counted(trip.fills, "fill")}</small>`,
          ),
          column("Opened and closed, UTC", ({ trip }) => stacked([utc(trip.openedAt), utc(trip.closedAt)])),
          ...tableColumns(
            tradesTable(context).columns,
            ["quantity", "open_value", "close_value", "gross_pnl", "fees", "net_excl_funding"],
            { currency: () => name },
          ),
        ],
        items: side.largest,
        note:
          side.count > MOST_TRIPS ? html`All ${count(side.count)} are in ${file(context, "closed-trades.csv")}.` : null,
      });
}
