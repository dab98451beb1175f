import type { Booked, RoundTrip } from "../../../accounting/booked.ts";
import { marketOf, type OfAccount } from "../../../accounting/combined.ts";
import { type Amount, ZERO } from "../../../core/amount.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { isWithin } from "../../../core/ranges.ts";
import type { TimeRange } from "../../../core/time.ts";
import { FillSums } from "../../build/fill-sums.ts";

/** How many of the best and of the worst round trips the page shows, by currency. */
export const MOST_TRIPS = 5;

/** Round trips of one kind, by their gross PnL. */
export interface KeptSide {
  count: number;
  /** The sum of their gross PnL. */
  total: Amount;
  /** The largest first; of equal ones the earlier. At most `MOST_TRIPS`. */
  readonly largest: RoundTrip[];
}

/** The round trips of one settlement currency that the page shows. */
export interface KeptTrips {
  readonly gains: KeptSide;
  readonly losses: KeptSide;
  even: number;
  fees: Amount;
}

/** What the page shows of single fills. */
export interface ShownFills {
  /** By currency. */
  readonly trips: ReadonlyMap<string, KeptTrips>;
  /** By market; "" for fills without one. */
  readonly markets: FillSums["markets"];
  /** Fills with one time outside the period. */
  readonly acrossBorder: number;
}

/** Keeps the single fills that the page shows. Its size grows with markets and currencies, not with fills. */
export class ShownTrades implements ShownFills {
  readonly trips = new Map<string, KeptTrips>();
  acrossBorder = 0;
  readonly #period: TimeRange;
  readonly #sums = new FillSums();

  constructor(period: TimeRange) {
    this.#period = period;
  }

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
  const none = () => ({ count: 0, total: ZERO, largest: [] });
  return { gains: none(), losses: none(), even: 0, fees: ZERO };
}

function keepTrip(own: KeptTrips, trip: RoundTrip): void {
  const { gross, fees } = trip;
  own.fees = own.fees.plus(fees);
  if (gross.isZero()) {
    own.even += 1;
    return;
  }
  const side = gross.gt(ZERO) ? own.gains : own.losses;
  side.count += 1;
  side.total = side.total.plus(gross);
  keepLargest(side.largest, trip);
}

function keepLargest(largest: RoundTrip[], trip: RoundTrip): void {
  const smaller = largest.findIndex((other) => other.gross.abs().lt(trip.gross.abs()));
  if (smaller !== -1 || largest.length < MOST_TRIPS) {
    largest.splice(smaller === -1 ? largest.length : smaller, 0, trip);
    largest.length = Math.min(largest.length, MOST_TRIPS);
  }
}

/** What is shown of the fills of several accounts. */
export function combinedFills(parts: readonly OfAccount<ShownFills>[]): ShownFills {
  const trips = new Map<string, KeptTrips>();
  for (const { account, own } of parts) {
    for (const [currency, kept] of own.trips) {
      addTrips(getOrMake(trips, currency, noTrips), kept, account);
    }
  }
  return {
    trips,
    markets: new Map(
      parts.flatMap(({ account, own }) => [...own.markets].map(([market, sums]) => [marketOf(account, market), sums])),
    ),
    acrossBorder: parts.reduce((sum, { own }) => sum + own.acrossBorder, 0),
  };
}

function addTrips(sum: KeptTrips, { gains, losses, even, fees }: KeptTrips, account: string): void {
  sum.even += even;
  sum.fees = sum.fees.plus(fees);
  addSide(sum.gains, gains, account);
  addSide(sum.losses, losses, account);
}

function addSide(sum: KeptSide, { count, total, largest }: KeptSide, account: string): void {
  sum.count += count;
  sum.total = sum.total.plus(total);
  for (const trip of largest) {
    keepLargest(sum.largest, { ...trip, market: marketOf(account, trip.market) });
  }
}
