import { type Amount, shareOf } from "../amount.ts";
import type { CostBook, Opener, OpenLot, Taken } from "../cost-book.ts";
import type { Trade } from "../trade.ts";

/**
 * Average cost: one pool. It keeps the total cost instead of the average. So adding is exact, a partial close
 * divides once, and the last close takes the rest.
 */
export class AverageBook implements CostBook {
  #opener: Opener | null = null;
  #sign: 1n | -1n = 1n;
  #quantity = 0n;
  #cost: Amount = 0n;
  #fee: Amount = 0n;

  open(opener: Opener, sign: 1n | -1n, quantity: bigint, fee: Amount): void {
    this.#opener ??= opener;
    this.#sign = sign;
    this.#quantity += quantity;
    this.#cost += quantity * opener.price;
    this.#fee += fee;
  }

  close(_closing: Trade, quantity: bigint): Taken[] {
    const opener = this.#opener;
    if (opener === null || quantity > this.#quantity) {
      throw new RangeError("the close is larger than the open position");
    }
    const isAll = quantity === this.#quantity;
    const openValue = isAll ? this.#cost : shareOf(this.#cost, quantity, this.#quantity);
    const openFee = isAll ? this.#fee : shareOf(this.#fee, quantity, this.#quantity);
    this.#quantity -= quantity;
    this.#cost -= openValue;
    this.#fee -= openFee;
    if (isAll) {
      this.#opener = null;
    }
    return [{ quantity, openValue, openFee, opener, designated: false }];
  }

  lots(): OpenLot[] {
    const opener = this.#opener;
    return opener === null
      ? []
      : [{ opener, sign: this.#sign, quantity: this.#quantity, value: this.#cost, fee: this.#fee }];
  }
}
