import type { RoundTrip } from "../../../../accounting/booked.ts";
import { count } from "../../../../core/text.ts";
import { columnChart } from "../charts/columns.ts";
import { WIDE } from "../charts/drawing.ts";
import { type Html, html, outside, outsideText } from "../html.ts";
import { money, result, units, utc } from "../numbers.ts";
import { byCurrency, figure, file, numbers, type Section } from "../parts.ts";
import { DECADES, type KeptTrips, MOST_TRIPS } from "../shown-trades.ts";
import { dataTable, type TableColumn, type TableRow, table } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { ids } from "./open-positions.ts";

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
  return html`${sizeChart(currency, trips)}${countTable(currency, trips)}${tripTable(view, currency, {
    id: `gains-${currency.number}`,
    title: "Largest gains before fees",
    trips: trips.largestGains,
    total: trips.won,
  })}${tripTable(view, currency, {
    id: `losses-${currency.number}`,
    title: "Largest losses before fees",
    trips: trips.largestLosses,
    total: trips.lost,
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
function sizes({ wonBySize, lostBySize, even }: KeptTrips) {
  const reach = (bySize: readonly number[]) => bySize.findLastIndex((number) => number > 0) + 1;
  const most = Math.max(reach(wonBySize), reach(lostBySize), 1);
  const lost = lostBySize
    .slice(0, most)
    .map((number, size) => ({ size: sizeLabel(size), kind: "loss", number }) as const);
  const won = wonBySize
    .slice(0, most)
    .map((number, size) => ({ size: sizeLabel(size), kind: "gain", number }) as const);
  return [...lost.toReversed(), { size: "0", kind: "even", number: even } as const, ...won];
}

const FILLS = { loss: "orange", even: "grey", gain: "blue" } as const;
const WORDS = { loss: "− loss", even: "even", gain: "+ gain" } as const;

function sizeChart(currency: CurrencyView, trips: KeptTrips): Html {
  const unit = outsideText(currency.name);
  const title = `Closed trades won and lost, by size of the result before fees, ${unit}, excl. funding`;
  const drawn = columnChart({
    id: `sizes-chart-${currency.number}`,
    title,
    description: `A bar for each size of result, a power of ten wide: losses (orange with stripes) at the left, gains (blue) at the right. ${trips.won} won, ${trips.lost} lost, ${trips.even} even. The table beneath has the counts.`,
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

function countTable(currency: CurrencyView, trips: KeptTrips): Html {
  const row = (key: string, label: string, cells: TableRow["cells"]): TableRow => ({ key, cells: [label, ...cells] });
  const bySize = (kind: "gain" | "loss") =>
    html`<span class="sizes">${sizes(trips)
      .filter((one) => one.kind === kind && one.number > 0)
      .map(({ size, number }) => html`<span>${size}: ${count(number)}</span> `)}</span>`;
  return table({
    id: `trips-${currency.number}`,
    caption: html`Closed trades, ${outside(currency.name)}, excl. funding`,
    columns: [{ head: "Outcome" }, ...numbers("Trades", "Result before fees"), { head: "By size" }],
    rows: [
      row("won", "Won", [count(trips.won), result(trips.gains), bySize("gain")]),
      row("lost", "Lost", [count(trips.lost), result(trips.losses), bySize("loss")]),
      row("even", "Even", [count(trips.even), result(0n), null]),
      {
        ...row("total", "Total", [
          count(trips.won + trips.lost + trips.even),
          result(trips.gains + trips.losses),
          null,
        ]),
        isTotal: true,
      },
    ],
    note: html`These trades bore ${money(trips.fees)} of fees less rebates. A size is a power of ten of ${outside(currency.name)}.`,
  });
}

interface TripList {
  readonly id: string;
  readonly title: string;
  readonly trips: readonly RoundTrip[];
  /** Those that there are. */
  readonly total: number;
}

/** So many stand open on the page; the next can be opened. */
const OPEN_TRIPS = 10;

function tripTable({ context }: View, currency: CurrencyView, { id, title, trips, total }: TripList): Html | null {
  const rows = trips.map(tripRow);
  const caption = html`${title}, ${outside(currency.name)}, excl. funding`;
  const first = { id, caption, columns: TRIP_COLUMNS, rows: rows.slice(0, OPEN_TRIPS) };
  const next = { ...first, id: `${id}-next`, rows: rows.slice(OPEN_TRIPS) };
  if (rows.length === 0) {
    return null;
  }
  return html`${table(first)}${next.rows.length === 0 ? null : dataTable(`The next ${next.rows.length}`, next)}${
    total > MOST_TRIPS
      ? html`<p class="note">All ${count(total)} are in ${file(context, "closed-trades.csv")}.</p>`
      : null
  }`;
}

const TRIP_COLUMNS: readonly TableColumn[] = [
  { head: "Market" },
  { head: "Opened and closed, UTC" },
  ...numbers("Quantity", "Open value", "Close value", "Before fees", "Fees", "Net of fees"),
  { head: "First and last match" },
];

function tripRow(trip: RoundTrip, at: number): TableRow {
  const { market, side, openedAt, closedAt, fills, quantity, openValue, closeValue, gross, fees, first, last } = trip;
  return {
    key: String(at + 1),
    cells: [
      html`${outside(market)} <small>${side}, ${count(fills)} fills</small>`,
      html`<span class="ids"><span>${utc(openedAt)}</span><span>${utc(closedAt)}</span></span>`,
      units(quantity),
      money(openValue),
      money(closeValue),
      result(gross),
      money(fees),
      result(gross - fees),
      ids([first.matchId, last.matchId]),
    ],
  };
}
