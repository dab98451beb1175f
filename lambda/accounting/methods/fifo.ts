import type { Amount } from "../amount.ts";
import {
  type CostBook,
  type Lot,
  least,
  type Opener,
  type OpenLot,
  openLot,
  type Taken,
  takeOf,
} from "../cost-book.ts";
import type { Trade } from "../trade.ts";

/** Emptied places are freed when there are this many, and as many as open lots. */
const LEAST_TO_DROP = 1000;

/** First in, first out. */
export class FifoBook implements CostBook {
  #lots: Lot[] = [];
  /** All lots before this index are closed. */
  #at = 0;
  #emptied = 0;

  open(opener: Opener, sign: 1n | -1n, quantity: bigint, fee: Amount): Lot {
    this.#drop();
    const lot = { opener, sign, quantity, fee };
    this.#lots.push(lot);
    return lot;
  }

  close(_closing: Trade, quantity: bigint): Taken[] {
    const taken: Taken[] = [];
    let left = quantity;
    while (left > 0n) {
      const lot = this.#lots[this.#at];
      if (lot === undefined) {
        throw new RangeError("the close is larger than the open position");
      }
      if (lot.quantity > 0n) {
        const one = this.take(lot, least(left, lot.quantity));
        taken.push(one);
        left -= one.quantity;
      }
      if (lot.quantity === 0n) {
        this.#at += 1;
      }
    }
    return taken;
  }

  /** Takes from any one open lot. */
  take(lot: Lot, quantity: bigint, designated = false): Taken {
    const one = takeOf(lot, quantity, designated);
    this.#emptied += lot.quantity === 0n ? 1 : 0;
    return one;
  }

  lots(): OpenLot[] {
    return this.#lots.filter(({ quantity }) => quantity > 0n).map(openLot);
  }

  #drop(): void {
    if (this.#emptied >= LEAST_TO_DROP && this.#emptied * 2 >= this.#lots.length) {
      this.#lots = this.#lots.filter(({ quantity }) => quantity > 0n);
      this.#at = 0;
      this.#emptied = 0;
    }
  }
}
