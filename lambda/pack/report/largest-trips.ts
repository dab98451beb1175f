import type { Posted } from "../../accounting/posted.ts";
import { ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import type { Ended } from "../tables/trades.ts";

/** How many of the best and of the worst round trips are kept, by currency. */
const MOST_TRIPS = 5;

/** The round trips with the largest gains and losses before fees. Of equal ones the earlier comes first. */
export class LargestTrips {
  readonly #kept = new Map<string, Ended[]>();

  add({ account, trip, convertedTrip }: Posted): void {
    if (trip === null || trip.gross.isZero()) {
      return;
    }
    const kept = getOrMake(this.#kept, keyOf(trip.currency, trip.gross.lt(ZERO)), () => [] as Ended[]);
    const smaller = kept.findIndex((one) => one.trip.gross.abs().lt(trip.gross.abs()));
    kept.splice(smaller === -1 ? kept.length : smaller, 0, { account, trip, convertedTrip });
    kept.length = Math.min(kept.length, MOST_TRIPS);
  }

  of(currency: string, isLoss: boolean): readonly Ended[] {
    return this.#kept.get(keyOf(currency, isLoss)) ?? [];
  }
}

function keyOf(currency: string, isLoss: boolean): string {
  return `${isLoss ? "losses" : "gains"} ${currency}`;
}
