import { type Amount, type Sign, shareOf, ZERO } from "../../core/amount.ts";
import type { CostBook, Opener, OpenLot, Taken } from "../cost-book.ts";
import type { Trade } from "../trade.ts";

/**
 * Average cost: one pool. It keeps the total cost instead of the average. So adding is exact, a partial close
 * divides once, and the last close takes the rest.
 */
export class AverageBook implements CostBook {
  #opener: Opener | null = null;
  #sign: Sign = 1;
  #quantity = ZERO;
  #cost = ZERO;
  #fee = ZERO;

  open(opener: Opener, sign: Sign, quantity: Amount, fee: Amount): void {
    this.#opener ??= opener;
    this.#sign = sign;
    this.#quantity = this.#quantity.plus(quantity);
    this.#cost = this.#cost.plus(quantity.times(opener.price));
    this.#fee = this.#fee.plus(fee);
  }

  close(_closing: Trade, quantity: Amount): Taken[] {
    const opener = this.#opener;
    if (opener === null || quantity.gt(this.#quantity)) {
      throw new RangeError("the close is larger than the open position");
    }
    const isAll = quantity.eq(this.#quantity);
    const openValue = isAll ? this.#cost : shareOf(this.#cost, quantity, this.#quantity);
    const openFee = isAll ? this.#fee : shareOf(this.#fee, quantity, this.#quantity);
    this.#quantity = this.#quantity.minus(quantity);
    this.#cost = this.#cost.minus(openValue);
    this.#fee = this.#fee.minus(openFee);
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
