import { type Amount, least, ZERO } from "../../core/amount.ts";
import { firstPlace } from "../../core/ranges.ts";
import { type CostBook, type Lot, type OpenLot, type Taken, takeOf, tooLarge } from "../cost-book.ts";
import type { Trade } from "../trade.ts";

/**
 * Where a new lot goes among the open ones; the last lot is taken first. This is the only difference between
 * the lot methods. All lots have one sign, and the new one is the youngest.
 */
export type Placing = (lots: readonly OpenLot[], lot: OpenLot) => number;

/** Takes lots one after another, in the order that `placing` keeps. */
export class LotBook implements CostBook {
  readonly #placing: Placing | null;
  #lots: Lot[] = [];
  /** Those that are taken after all of these, the oldest first. */
  #later: Lot[] = [];

  /** `placing` null: first in, first out. */
  constructor(placing: Placing | null) {
    this.#placing = placing;
  }

  open(lot: OpenLot): void {
    if (this.#placing === null) {
      this.#later.push({ ...lot });
    } else {
      this.#lots.splice(this.#placing(this.#lots, lot), 0, { ...lot });
    }
  }

  close(_closing: Trade, quantity: Amount): Taken[] {
    const taken: Taken[] = [];
    let left = quantity;
    while (left.gt(ZERO)) {
      if (this.#lots.length === 0) {
        [this.#lots, this.#later] = [this.#later.reverse(), []];
      }
      const lot = this.#lots.at(-1);
      if (lot === undefined) {
        throw tooLarge();
      }
      const one = takeOf(lot, least(left, lot.quantity));
      taken.push(one);
      left = left.minus(one.quantity);
      if (lot.quantity.isZero()) {
        this.#lots.pop();
      }
    }
    return taken;
  }

  lots(): OpenLot[] {
    const older = this.#placing === null ? this.#lots.toReversed() : this.#lots;
    return [...older, ...this.#later].map((lot) => ({ ...lot }));
  }
}

export const newestFirst: Placing = (lots) => lots.length;

/**
 * The least gain first: the highest entry of a long, the lowest of a short; the oldest of equal ones. Lots
 * are kept in that order, so a binary search finds the place.
 */
export const leastGainFirst: Placing = (lots, { sign, opener }) =>
  firstPlace(lots, (lot) => sign * lot.opener.price.cmp(opener.price) < 0);
