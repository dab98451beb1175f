import { type Amount, type Sign, shareOf, ZERO } from "../core/amount.ts";
import type { Match, Opener, Result } from "./booked.ts";
import type { Trade } from "./trade.ts";

/** The open rest of a lot or a pool. */
export interface OpenLot {
  readonly opener: Opener;
  /** 1: long, -1: short */
  readonly sign: Sign;
  /** Above zero. */
  readonly quantity: Amount;
  /**
   * The opening value: for a lot, quantity × price. Positive for long and short. Exception: shares of a pool
   * are rounded at the 18th place, so what remains of a cost near 10^-18 can be zero or negative.
   */
  readonly value: Amount;
  /** Its share of the opening fees. */
  readonly fee: Amount;
}

/** A lot of a book, of which closes take. */
export type Lot = { -readonly [Key in keyof OpenLot]: OpenLot[Key] };

/** What a closing quantity takes from the book: from one lot, or from the pool. */
export type Taken = Omit<Match, "closeValue" | "closeFee" | keyof Result>;

/**
 * The open part of one market's position under one method. A port with one file for each method. All of it
 * has one sign.
 */
export interface CostBook {
  /** Adds to the position. */
  open(lot: OpenLot): void;
  /** Closes `quantity`, at most what is open, by the closing fill, in the method's order. */
  close(closing: Trade, quantity: Amount): Taken[];
  /** As it is now; a pool is one lot. */
  lots(): OpenLot[];
}

/** Takes a quantity from a lot, and its share of the fee; of a pool, also of the value. The last one takes the rest. */
export function takeOf(
  lot: Lot,
  quantity: Amount,
  is: { readonly pool?: true; readonly designated?: true } = {},
): Taken {
  const isAll = quantity.eq(lot.quantity);
  const share = (total: Amount) => (isAll ? total : shareOf(total, quantity, lot.quantity));
  const openValue = is.pool ? share(lot.value) : quantity.times(lot.opener.price);
  const openFee = share(lot.fee);
  lot.quantity = lot.quantity.minus(quantity);
  lot.value = lot.value.minus(openValue);
  lot.fee = lot.fee.minus(openFee);
  return { quantity, openValue, openFee, opener: lot.opener, designated: is.designated === true };
}

export function tooLarge(): RangeError {
  return new RangeError("the close is larger than the open position");
}

/** The side of a position that is not flat, by its sign. */
export function sideOf(signed: Amount): "long" | "short" {
  return signed.lt(ZERO) ? "short" : "long";
}
