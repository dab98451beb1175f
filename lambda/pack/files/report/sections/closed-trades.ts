import type { Amount } from "../../../../accounting/amount.ts";
import type { RoundTrip } from "../../../../accounting/booked.ts";
import { count } from "../../../../core/text.ts";
import { columnChart } from "../charts/bars.ts";
import { WIDE } from "../charts/drawing.ts";
import { type Html, html, outside, outsideText } from "../html.ts";
import { money, result, units, utc } from "../numbers.ts";
import { byCurrency, figure, file, ids, type Section } from "../parts.ts";
import { DECADES, type KeptSide, type KeptTrips, MOST_TRIPS } from "../shown-trades.ts";
import { column, type ListColumn, listTable, numberColumn, opened } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";

/** Round trips, from flat to flat. */
export function closedTradesSection(view: View): Section {
  return {
    id: "closed-trades",
    title: "Closed trades, flat to flat, excl. funding",
    body: html`
<p>A closed trade begins when a market has no position and ends when it has none again; its result is the same under every method. One that began before the known history is in no row. ${file(view.context, "closed-trades.csv")} has them all.</p>${byCurrency(
      view,
      (currency) => {
        const trips = view.kept.trips.get(currency.name);
        return trips === undefined
          ? html`<p class="empty">No position was opened and closed to nothing within the known history.</p>`
          : closedTrades(view, currency, trips);
      },
    )}`,
  };
}

function closedTrades(view: View, currency: CurrencyView, trips: KeptTrips): Html {
  const { gains, losses } = trips;
  return html`${sizeChart(currency, trips)}${countTable(currency, trips)}${tripTables(view, currency, {
    id: `gains-${currency.number}`,
    title: "Largest gains before fees",
    side: gains,
  })}${tripTables(view, currency, {
    id: `losses-${currency.number}`,
    title: "Largest losses before fees",
    side: losses,
  })}`;
}

const EDGES = ["1", "10", "100", "1k", "10k", "100k", "1M"];

function sizeLabel(size: number): string {
  if (size === 0) {
    return "<1";
  }
  return size === DECADES - 1 ? "1M+" : `${EDGES[size - 1]}–${EDGES[size]}`;
}

/** Losses from the largest down, those that came out even, gains up to the largest; sizes beyond the ends that no trade has are left out. */
function sizes({ gains, losses, even }: KeptTrips) {
  const reach = (bySize: readonly number[]) => bySize.findLastIndex((number) => number > 0) + 1;
  const most = Math.max(reach(gains.bySize), reach(losses.bySize), 1);
  const barsOf = (bySize: readonly number[], kind: "loss" | "gain") =>
    bySize.slice(0, most).map((number, size) => ({ size: sizeLabel(size), kind, number }));
  const none = { size: "0", kind: "even", number: even } as const;
  return [...barsOf(losses.bySize, "loss").toReversed(), none, ...barsOf(gains.bySize, "gain")];
}

const FILLS = { loss: "orange", even: "grey", gain: "blue" } as const;
const WORDS = { loss: "− loss", even: "even", gain: "+ gain" } as const;

function sizeChart(currency: CurrencyView, trips: KeptTrips): Html {
  const unit = outsideText(currency.name);
  const title = `Closed trades won and lost, by size of the result before fees, ${unit}, excl. funding`;
  const drawn = columnChart({
    id: `sizes-chart-${currency.number}`,
    title,
    description: `A bar for each size of result, a power of ten wide: losses (orange with stripes) at the left, gains (blue) at the right. ${trips.gains.count} won, ${trips.losses.count} lost, ${trips.even} even. The table beneath has the counts.`,
    width: WIDE,
    axis: `closed trades, by result in ${unit}`,
    format: String,
    columns: sizes(trips).map(({ size, kind, number }) => ({
      label: size,
      second: WORDS[kind],
      parts: [{ value: BigInt(number), fill: FILLS[kind] }],
      ...(number === 0 ? {} : { mark: count(number) }),
    })),
  });
  return figure(drawn, title);
}

interface Outcome {
  readonly key: string;
  readonly label: string;
  readonly trades: number;
  readonly gross: Amount;
  readonly sizes: Html | null;
}

function countTable(currency: CurrencyView, trips: KeptTrips): Html {
  const { gains, losses, even } = trips;
  const bySize = (kind: "gain" | "loss") =>
    html`<span class="sizes">${sizes(trips)
      .filter((one) => one.kind === kind && one.number > 0)
      .map(({ size, number }) => html`<span>${size}: ${count(number)}</span> `)}</span>`;
  return listTable<Outcome>({
    id: `trips-${currency.number}`,
    caption: html`Closed trades, ${outside(currency.name)}, excl. funding`,
    columns: [
      column("Outcome", ({ label }) => label),
      numberColumn("Trades", ({ trades }) => count(trades)),
      numberColumn("Result before fees", ({ gross }) => result(gross)),
      column("By size", (outcome) => outcome.sizes),
    ],
    items: [
      { key: "won", label: "Won", trades: gains.count, gross: gains.total, sizes: bySize("gain") },
      { key: "lost", label: "Lost", trades: losses.count, gross: losses.total, sizes: bySize("loss") },
      { key: "even", label: "Even", trades: even, gross: 0n, sizes: null },
    ],
    keyOf: ({ key }) => key,
    total: {
      key: "total",
      label: "Total",
      trades: gains.count + losses.count + even,
      gross: gains.total + losses.total,
      sizes: null,
    },
    note: html`These trades bore ${money(trips.fees)} of fees less rebates. A size is a power of ten of ${outside(currency.name)}.`,
  });
}

interface TripList {
  readonly id: string;
  readonly title: string;
  readonly side: KeptSide;
}

/** So many stand open on the page; the next can be opened. */
const OPEN_TRIPS = 10;

function tripTables({ context }: View, currency: CurrencyView, { id, title, side }: TripList): Html | null {
  const numbered = side.largest.map((trip, at) => ({ trip, key: String(at + 1) }));
  const [first, next] = [numbered.slice(0, OPEN_TRIPS), numbered.slice(OPEN_TRIPS)];
  const caption = html`${title}, ${outside(currency.name)}, excl. funding`;
  const tableOf = (items: typeof numbered, ownId: string) =>
    listTable({ id: ownId, caption, columns: TRIP_COLUMNS, items, keyOf: ({ key }) => key });
  if (numbered.length === 0) {
    return null;
  }
  return html`${tableOf(first, id)}${next.length === 0 ? null : opened(`The next ${next.length}`, tableOf(next, `${id}-next`))}${
    side.count > MOST_TRIPS
      ? html`<p class="note">All ${count(side.count)} are in ${file(context, "closed-trades.csv")}.</p>`
      : null
  }`;
}

const TRIP_COLUMNS: readonly ListColumn<{ readonly trip: RoundTrip }>[] = [
  column("Market", ({ trip }) => html`${outside(trip.market)} <small>${trip.side}, ${count(trip.fills)} fills</small>`),
  column(
    "Opened and closed, UTC",
    ({ trip }) => html`<span class="ids"><span>${utc(trip.openedAt)}</span><span>${utc(trip.closedAt)}</span></span>`,
  ),
  numberColumn("Quantity", ({ trip }) => units(trip.quantity)),
  numberColumn("Open value", ({ trip }) => money(trip.openValue)),
  numberColumn("Close value", ({ trip }) => money(trip.closeValue)),
  numberColumn("Before fees", ({ trip }) => result(trip.gross)),
  numberColumn("Fees", ({ trip }) => money(trip.fees)),
  numberColumn("Net of fees", ({ trip }) => result(trip.gross - trip.fees)),
  column("First and last match", ({ trip }) => ids([trip.first.matchId, trip.last.matchId])),
];
