import type { Amount } from "../amount.ts";
import {
  type CostBook,
  type Lot,
  least,
  type Opener,
  type OpenLot,
  openLot,
  sumOf,
  type Taken,
  takeOf,
} from "../cost-book.ts";
import type { Trade } from "../trade.ts";

/** Emptied places at the beginning are given back when there are so many, and more than there are lots. */
const LEAST_TO_DROP = 1000;

/** First in, first out. */
export class FifoBook implements CostBook {
  #lots: Lot[];
  /** of the oldest open lot */
  #at = 0;
  #openValue: Amount;
  #deferredFee: Amount;

  constructor(open: readonly OpenLot[] = []) {
    this.#lots = open.map(({ opener, sign, quantity, fee }) => ({ opener, sign, quantity, fee }));
    this.#openValue = sumOf(open, "value");
    this.#deferredFee = sumOf(open, "fee");
  }

  open(opener: Opener, sign: 1n | -1n, quantity: bigint, fee: Amount): void {
    this.#lots.push({ opener, sign, quantity, fee });
    this.#openValue += quantity * opener.price;
    this.#deferredFee += fee;
  }

  close(_closing: Trade, quantity: bigint): Taken[] {
    const taken: Taken[] = [];
    let left = quantity;
    while (left > 0n) {
      const lot = this.#lots[this.#at];
      if (lot === undefined) {
        throw new RangeError("more is closed than is open");
      }
      if (lot.quantity > 0n) {
        taken.push(this.take(lot, least(left, lot.quantity)));
        left -= taken.at(-1)?.quantity ?? 0n;
      }
      if (lot.quantity === 0n) {
        this.#at += 1;
      }
    }
    this.#drop();
    return taken;
  }

  /** Takes of one open lot, whichever. */
  take(lot: Lot, quantity: bigint, designated = false): Taken {
    const one = takeOf(lot, quantity, designated);
    this.#openValue -= one.openValue;
    this.#deferredFee -= one.openFee;
    return one;
  }

  /** The open lot of a fill; undefined when it has none, or none any more. */
  find(matchId: string, orderId: string): Lot | undefined {
    return this.#lots.find(
      ({ opener, quantity }) => quantity > 0n && opener.matchId === matchId && opener.orderId === orderId,
    );
  }

  get openValue(): Amount {
    return this.#openValue;
  }

  get deferredFee(): Amount {
    return this.#deferredFee;
  }

  lots(): OpenLot[] {
    return this.#lots.filter(({ quantity }) => quantity > 0n).map(openLot);
  }

  #drop(): void {
    if (this.#at >= LEAST_TO_DROP && this.#at * 2 > this.#lots.length) {
      this.#lots = this.#lots.slice(this.#at);
      this.#at = 0;
    }
  }
}
