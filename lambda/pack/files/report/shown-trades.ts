import { type Amount, amountOf, UNIT } from "../../../accounting/amount.ts";
import type { Booked, RoundTrip } from "../../../accounting/booked.ts";
import { magnitude } from "../../../core/decimal.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { isWithin } from "../../../core/ranges.ts";
import type { TimeRange } from "../../../core/time.ts";
import { FillSums } from "../../build/fill-sums.ts";

/** Round trips that the page shows of each end, by currency. */
export const MOST_TRIPS = 5;

/** Magnitudes of PnL: below 1, below 10, … and from the last on. */
export const DECADES = 8;

/** Round trips of one kind, by their gross PnL. */
export interface KeptSide {
  count: number;
  /** Sum of their gross PnL. */
  total: Amount;
  /** By magnitude of the gross PnL. */
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

/** Keeps what the page shows of single fills. It grows with markets and currencies, not with fills. */
export class ShownTrades {
  /** By currency. */
  readonly trips = new Map<string, KeptTrips>();
  /** Fills one of whose times is outside of the period. */
  acrossBorder = 0;
  readonly #period: TimeRange;
  readonly #sums = new FillSums();

  constructor(period: TimeRange) {
    this.#period = period;
  }

  /** By market; "" for fills without one. */
  get markets(): FillSums["markets"] {
    return this.#sums.markets;
  }

  add(booked: Booked): void {
    const { fill, trip } = booked;
    this.#sums.add(booked);
    const times = [fill.txCreated, fill.filledAt ?? fill.txCreated];
    this.acrossBorder += times.every((time) => isWithin(this.#period, time)) ? 0 : 1;
    if (trip !== null) {
      keepTrip(getOrMake(this.trips, trip.currency, noTrips), trip);
    }
  }
}

function noTrips(): KeptTrips {
  const none = () => ({ count: 0, total: 0n, bySize: new Array(DECADES).fill(0), largest: [] });
  return { gains: none(), losses: none(), even: 0, fees: 0n };
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
