import { type Amount, amountOf, UNIT } from "../../../accounting/amount.ts";
import type { Booked, RoundTrip, UnknownReason } from "../../../accounting/booked.ts";
import { isWithin } from "../../../core/ranges.ts";
import type { TimeRange } from "../../../core/time.ts";

/** Round trips that the page shows of each end, by currency. */
export const MOST_TRIPS = 50;

/** Magnitudes of a result: below 1, below 10, … and from the last on. */
export const DECADES = 8;

/** What the page keeps of the round trips that are settled in one currency. */
export interface KeptTrips {
  readonly currency: string;
  won: number;
  lost: number;
  even: number;
  /** Sums of the results before fees. */
  gains: Amount;
  losses: Amount;
  fees: Amount;
  /** By magnitude of the result before fees. */
  readonly wonBySize: number[];
  readonly lostBySize: number[];
  /** The largest first; of equal ones the earlier. At most `MOST_TRIPS` each. */
  readonly largestGains: RoundTrip[];
  readonly largestLosses: RoundTrip[];
}

/** What the page keeps of the fills of one market. */
export interface KeptMarket {
  /** × 10^18 */
  bought: bigint;
  sold: bigint;
  /** Fills that were booked while the position was not known, or that cannot be typed. */
  unplaced: number;
  /** Why results are blank, and at how many fills. */
  readonly blanks: Map<UnknownReason, number>;
}

export interface Kept {
  /** By market; "" for fills without one. */
  readonly markets: ReadonlyMap<string, KeptMarket>;
  /** By currency. */
  readonly trips: ReadonlyMap<string, KeptTrips>;
  /** Fills one of whose times is outside of the period. */
  readonly acrossBorder: number;
}

export interface Keeper {
  add(booked: Booked): void;
  readonly kept: Kept;
}

/** Keeps what the page shows of single fills. It grows with markets and currencies, not with fills. */
export function keeper(period: TimeRange): Keeper {
  const markets = new Map<string, KeptMarket>();
  const trips = new Map<string, KeptTrips>();
  let acrossBorder = 0;
  const isInside = (time: number) => isWithin(period, time);
  return {
    add: (booked) => {
      const { fill, trip } = booked;
      acrossBorder += isInside(fill.txCreated) && isInside(fill.filledAt ?? fill.txCreated) ? 0 : 1;
      const name = fill.market ?? "";
      const market = markets.get(name) ?? { bought: 0n, sold: 0n, unplaced: 0, blanks: new Map() };
      markets.set(name, market);
      keepOfMarket(market, booked);
      if (trip !== null) {
        const own = trips.get(trip.currency) ?? noTrips(trip.currency);
        trips.set(trip.currency, own);
        keepTrip(own, trip);
      }
    },
    get kept() {
      return { markets, trips, acrossBorder };
    },
  };
}

function noTrips(currency: string): KeptTrips {
  return {
    currency,
    won: 0,
    lost: 0,
    even: 0,
    gains: 0n,
    losses: 0n,
    fees: 0n,
    wonBySize: new Array(DECADES).fill(0),
    lostBySize: new Array(DECADES).fill(0),
    largestGains: [],
    largestLosses: [],
  };
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
    market.blanks.set(blank, (market.blanks.get(blank) ?? 0) + 1);
  }
}

function keepTrip(own: KeptTrips, trip: RoundTrip): void {
  const { gross, fees } = trip;
  own.fees += fees;
  if (gross === 0n) {
    own.even += 1;
  } else if (gross > 0n) {
    own.won += 1;
    own.gains += gross;
    countSize(own.wonBySize, gross);
    insert(own.largestGains, trip, (other) => other.gross < gross);
  } else {
    own.lost += 1;
    own.losses += gross;
    countSize(own.lostBySize, -gross);
    insert(own.largestLosses, trip, (other) => other.gross > gross);
  }
}

function countSize(sizes: number[], magnitude: Amount): void {
  const size = magnitude < ONE ? 0 : Math.min((magnitude / ONE).toString().length, DECADES - 1);
  sizes[size] = (sizes[size] ?? 0) + 1;
}

/** 1 as an Amount. */
const ONE = amountOf(UNIT);

/** Puts it before the first that is smaller. */
function insert(trips: RoundTrip[], trip: RoundTrip, isSmaller: (other: RoundTrip) => boolean): void {
  const at = trips.findIndex(isSmaller);
  if (at === -1 && trips.length >= MOST_TRIPS) {
    return;
  }
  trips.splice(at === -1 ? trips.length : at, 0, trip);
  trips.length = Math.min(trips.length, MOST_TRIPS);
}
