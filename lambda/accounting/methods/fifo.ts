import { type Amount, least, type Sign, ZERO } from "../../core/amount.ts";
import { type CostBook, type Lot, type Opener, type OpenLot, openLot, type Taken, takeOf } from "../cost-book.ts";
import type { Trade } from "../trade.ts";

/** Emptied places are freed when there are this many, and as many as open lots. */
const LEAST_TO_DROP = 1000;

/** First in, first out. */
export class FifoBook implements CostBook {
  #lots: Lot[] = [];
  /** All lots before this index are closed. */
  #at = 0;
  #emptied = 0;

  open(opener: Opener, sign: Sign, quantity: Amount, fee: Amount): Lot {
    this.#drop();
    const lot = { opener, sign, quantity, fee };
    this.#lots.push(lot);
    return lot;
  }

  close(_closing: Trade, quantity: Amount): Taken[] {
    const taken: Taken[] = [];
    let left = quantity;
    while (left.gt(ZERO)) {
      const lot = this.#lots[this.#at];
      if (lot === undefined) {
        throw new RangeError("the close is larger than the open position");
      }
      if (!lot.quantity.isZero()) {
        const one = this.take(lot, least(left, lot.quantity));
        taken.push(one);
        left = left.minus(one.quantity);
      }
      if (lot.quantity.isZero()) {
        this.#at += 1;
      }
    }
    return taken;
  }

  /** Takes from any one open lot. */
  take(lot: Lot, quantity: Amount, designated = false): Taken {
    const one = takeOf(lot, quantity, designated);
    this.#emptied += lot.quantity.isZero() ? 1 : 0;
    return one;
  }

  lots(): OpenLot[] {
    return this.#lots.filter(({ quantity }) => !quantity.isZero()).map(openLot);
  }

  #drop(): void {
    if (this.#emptied >= LEAST_TO_DROP && this.#emptied * 2 >= this.#lots.length) {
      this.#lots = this.#lots.filter(({ quantity }) => !quantity.isZero());
      this.#at = 0;
      this.#emptied = 0;
    }
  }
}
