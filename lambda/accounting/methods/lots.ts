import { type Amount, least, type Sign, ZERO } from "../../core/amount.ts";
import { firstPlace } from "../../core/search.ts";
import { type CostBook, type Lot, type Opener, type OpenLot, openLot, type Taken, takeOf } from "../cost-book.ts";
import type { Trade } from "../trade.ts";

/**
 * Where a new lot goes among the open ones; the last lot is taken first. This is the only difference between
 * the lot methods. All lots have one sign, and the new one is the youngest.
 */
export type Placing = (lots: readonly Lot[], lot: Lot) => number;

/** Takes lots one after another, in the order that `placing` keeps. */
export class LotBook implements CostBook {
  readonly #placing: Placing;
  readonly #lots: Lot[] = [];

  constructor(placing: Placing) {
    this.#placing = placing;
  }

  open(opener: Opener, sign: Sign, quantity: Amount, fee: Amount): void {
    const lot = { opener, sign, quantity, fee };
    this.#lots.splice(this.#placing(this.#lots, lot), 0, lot);
  }

  close(_closing: Trade, quantity: Amount): Taken[] {
    const taken: Taken[] = [];
    let left = quantity;
    while (left.gt(ZERO)) {
      const lot = this.#lots.at(-1);
      if (lot === undefined) {
        throw new RangeError("the close is larger than the open position");
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
    return this.#lots.map(openLot);
  }
}

/** The newest is taken first. */
export const newestLast: Placing = (lots) => lots.length;

/**
 * The least gain first: the highest entry of a long, the lowest of a short; the oldest of equal ones. Lots
 * are kept in that order, so a binary search finds the place.
 */
export const leastGainLast: Placing = (lots, { sign, opener }) =>
  firstPlace(lots, (lot) => sign * (lot.opener.price ?? ZERO).cmp(opener.price) < 0);
