import type { Amount } from "../../core/amount.ts";
import { type CostBook, type Lot, type OpenLot, type Taken, takeOf, tooLarge } from "../cost-book.ts";
import type { Trade } from "../trade.ts";

/**
 * Average cost: one pool. It keeps the total cost instead of the average. So adding is exact, a partial close
 * divides once, and the last close takes the rest.
 */
export class AverageBook implements CostBook {
  #pool: Lot | null = null;

  open(lot: OpenLot): void {
    const pool = this.#pool;
    if (pool === null) {
      this.#pool = { ...lot };
      return;
    }
    pool.quantity = pool.quantity.plus(lot.quantity);
    pool.value = pool.value.plus(lot.value);
    pool.fee = pool.fee.plus(lot.fee);
  }

  close(_closing: Trade, quantity: Amount): Taken[] {
    const pool = this.#pool;
    if (pool === null || quantity.gt(pool.quantity)) {
      throw tooLarge();
    }
    const taken = takeOf(pool, quantity, { pool: true });
    this.#pool = pool.quantity.isZero() ? null : pool;
    return [taken];
  }

  lots(): OpenLot[] {
    return this.#pool === null ? [] : [{ ...this.#pool }];
  }
}
