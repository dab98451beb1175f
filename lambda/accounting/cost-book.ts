import { type Amount, shareOf } from "./amount.ts";
import type { Trade } from "./trade.ts";

/** What opened a lot: a fill, or a position that the user declared (without ids). */
export interface Opener {
  readonly matchId: string | null;
  readonly orderId: string | null;
  /** ms UTC */
  readonly time: number;
  /** × 10^18 */
  readonly price: bigint;
}

/** The open rest of a lot or a pool. */
export interface OpenLot {
  readonly opener: Opener;
  /** 1: long, -1: short */
  readonly sign: 1n | -1n;
  /** × 10^18, above zero */
  readonly quantity: bigint;
  /**
   * The opening value: for a lot, quantity × price. Positive for long and short. Exception: shares of a pool
   * are rounded at the 18th place, so what remains of a cost near 10^-18 can be zero or negative.
   */
  readonly value: Amount;
  /** Its share of the opening fees. */
  readonly fee: Amount;
}

/** A lot of a book. */
export interface Lot {
  readonly opener: Opener;
  readonly sign: 1n | -1n;
  quantity: bigint;
  fee: Amount;
}

/** What a closing quantity takes from the book: from one lot, or from the pool. */
export interface Taken {
  /** × 10^18 */
  readonly quantity: bigint;
  /** The opening value: quantity × price. */
  readonly openValue: Amount;
  /** Its share of the opening fees. */
  readonly openFee: Amount;
  /** What opened the lot; for a pool, its first opener. */
  readonly opener: Opener;
  /** True: the user's file names it, against the order of the method. */
  readonly designated: boolean;
}

/**
 * The open part of one market's position under one method. A port with one file for each method. All of it
 * has one sign.
 */
export interface CostBook {
  /** Adds to the position. `quantity`: × 10^18, above zero. `fee`: the opening part of the fill's fee. */
  open(opener: Opener, sign: 1n | -1n, quantity: bigint, fee: Amount): void;
  /** Closes `quantity`, at most what is open, by the closing fill, in the method's order. */
  close(closing: Trade, quantity: bigint): Taken[];
  /** The open lots; a pool is one lot. */
  lots(): OpenLot[];
}

export function openLot({ opener, sign, quantity, fee }: Lot): OpenLot {
  return { opener, sign, quantity, value: quantity * opener.price, fee };
}

/** Takes a quantity from a lot, and its share of the fee. The last one takes the rest. */
export function takeOf(lot: Lot, quantity: bigint, designated = false): Taken {
  const openFee = quantity === lot.quantity ? lot.fee : shareOf(lot.fee, quantity, lot.quantity);
  lot.quantity -= quantity;
  lot.fee -= openFee;
  return { quantity, openValue: quantity * lot.opener.price, openFee, opener: lot.opener, designated };
}

/** The side of a position that is not flat, by its sign. */
export function sideOf(signed: bigint): "long" | "short" {
  return signed < 0n ? "short" : "long";
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
