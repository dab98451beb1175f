import { type Amount, amountOf, UNIT } from "../../../accounting/amount.ts";
import type { Booked, RoundTrip, UnknownReason } from "../../../accounting/booked.ts";
import { magnitude } from "../../../core/decimal.ts";
import { isWithin } from "../../../core/ranges.ts";
import type { TimeRange } from "../../../core/time.ts";

/** Round trips that the page shows of each end, by currency. */
export const MOST_TRIPS = 50;

/** Magnitudes of a result: below 1, below 10, … and from the last on. */
export const DECADES = 8;

/** Round trips of one kind, by their result before fees. */
export interface KeptSide {
  count: number;
  /** Sum of the results. */
  total: Amount;
  /** By magnitude of the result. */
  readonly bySize: number[];
  /** The largest first; of equal ones the earlier. At most `MOST_TRIPS`. */
  readonly largest: RoundTrip[];
}

/** What the page keeps of the round trips that are settled in one currency. */
export interface KeptTrips {
  readonly gains: KeptSide;
  readonly losses: KeptSide;
  even: number;
  fees: Amount;
}

/** What the page keeps of the fills of one market. */
export interface KeptMarket {
  /** × 10^18 */
  bought: bigint;
  sold: bigint;
  /** Fills that were booked while the position was not known, or that cannot be typed. */
  unplaced: number;
  /** Why results are blank, in the order in which it came up. */
  readonly blanks: Set<UnknownReason>;
}

export interface Kept {
  /** By market; "" for fills without one. */
  readonly markets: ReadonlyMap<string, KeptMarket>;
  /** By currency. */
  readonly trips: ReadonlyMap<string, KeptTrips>;
  /** Fills one of whose times is outside of the period. */
  readonly acrossBorder: number;
}

/** Keeps what the page shows of single fills. It grows with markets and currencies, not with fills. */
export class ShownTrades implements Kept {
  readonly markets = new Map<string, KeptMarket>();
  readonly trips = new Map<string, KeptTrips>();
  acrossBorder = 0;
  readonly #period: TimeRange;

  constructor(period: TimeRange) {
    this.#period = period;
  }

  add(booked: Booked): void {
    const { fill, trip } = booked;
    const times = [fill.txCreated, fill.filledAt ?? fill.txCreated];
    this.acrossBorder += times.every((time) => isWithin(this.#period, time)) ? 0 : 1;
    const name = fill.market ?? "";
    const market = this.markets.get(name) ?? { bought: 0n, sold: 0n, unplaced: 0, blanks: new Set() };
    this.markets.set(name, market);
    keepOfMarket(market, booked);
    if (trip !== null) {
      const own = this.trips.get(trip.currency) ?? { gains: noTrips(), losses: noTrips(), even: 0, fees: 0n };
      this.trips.set(trip.currency, own);
      keepTrip(own, trip);
    }
  }
}

function noTrips(): KeptSide {
  return { count: 0, total: 0n, bySize: new Array(DECADES).fill(0), largest: [] };
}

function keepOfMarket(market: KeptMarket, { trade, before, blank }: Booked): void {
  if (trade === null || before === null) {
    market.unplaced += 1;
  }
  if (trade !== null) {
    market.bought += trade.sign === 1n ? trade.quantity : 0n;
    market.sold += trade.sign === 1n ? 0n : trade.quantity;
  }
  if (blank !== null) {
    market.blanks.add(blank);
  }
}

function keepTrip(own: KeptTrips, trip: RoundTrip): void {
  const { gross, fees } = trip;
  own.fees += fees;
  if (gross === 0n) {
    own.even += 1;
    return;
  }
  const side = gross > 0n ? own.gains : own.losses;
  const size = Math.min(magnitude(gross) < ONE ? 0 : (magnitude(gross) / ONE).toString().length, DECADES - 1);
  side.count += 1;
  side.total += gross;
  side.bySize[size] = (side.bySize[size] ?? 0) + 1;
  const smaller = side.largest.findIndex((other) => magnitude(other.gross) < magnitude(gross));
  if (smaller !== -1 || side.largest.length < MOST_TRIPS) {
    side.largest.splice(smaller === -1 ? side.largest.length : smaller, 0, trip);
    side.largest.length = Math.min(side.largest.length, MOST_TRIPS);
  }
}

/** 1 as an Amount. */
const ONE = amountOf(UNIT);
