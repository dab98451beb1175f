import type { Posted } from "../../accounting/posted.ts";
import { type Amount, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { isWithin } from "../../core/ranges.ts";
import type { TimeRange } from "../../core/time.ts";
import type { Ended } from "../tables/trades.ts";

/** How many of the best and of the worst round trips the page shows, by currency. */
export const MOST_TRIPS = 5;

/** Round trips of one kind, by their gross PnL. */
export interface KeptSide {
  count: number;
  /** The sum of their gross PnL. */
  total: Amount;
  /** The largest first; of equal ones the earlier. At most `MOST_TRIPS`. */
  readonly largest: Ended[];
}

/** The round trips of one settlement currency that the page shows. */
export interface KeptTrips {
  readonly gains: KeptSide;
  readonly losses: KeptSide;
  even: number;
  fees: Amount;
}

/** What the page shows of single fills. Its size grows with currencies, not with fills. */
export class ShownFills {
  /** By currency. */
  readonly trips = new Map<string, KeptTrips>();
  /** Fills with one time outside the period. */
  acrossBorder = 0;
  readonly #period: TimeRange;

  constructor(period: TimeRange) {
    this.#period = period;
  }

  add({ account, fill, trip, convertedTrip }: Posted): void {
    const times = [fill.txCreated, fill.filledAt ?? fill.txCreated];
    this.acrossBorder += times.every((time) => isWithin(this.#period, time)) ? 0 : 1;
    if (trip !== null) {
      keepTrip(getOrMake(this.trips, trip.currency, noTrips), { account, trip, convertedTrip });
    }
  }
}

function noTrips(): KeptTrips {
  const none = () => ({ count: 0, total: ZERO, largest: [] });
  return { gains: none(), losses: none(), even: 0, fees: ZERO };
}

function keepTrip(own: KeptTrips, ended: Ended): void {
  const { gross, fees } = ended.trip;
  own.fees = own.fees.plus(fees);
  if (gross.isZero()) {
    own.even += 1;
    return;
  }
  const side = gross.gt(ZERO) ? own.gains : own.losses;
  side.count += 1;
  side.total = side.total.plus(gross);
  const smaller = side.largest.findIndex(({ trip }) => trip.gross.abs().lt(gross.abs()));
  if (smaller !== -1 || side.largest.length < MOST_TRIPS) {
    side.largest.splice(smaller === -1 ? side.largest.length : smaller, 0, ended);
    side.largest.length = Math.min(side.largest.length, MOST_TRIPS);
  }
}
