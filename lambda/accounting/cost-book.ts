import { type Amount, shareOf } from "./amount.ts";
import type { Trade } from "./trade.ts";

/** What opened a lot: a fill, or a position that the user declares (then without ids). */
export interface Opener {
  readonly matchId: string | null;
  readonly orderId: string | null;
  /** ms UTC */
  readonly time: number;
  /** × 10^18 */
  readonly price: bigint;
}

/** What is left open of a lot, or of a pool. */
export interface OpenLot {
  readonly opener: Opener;
  /** 1: long, -1: short */
  readonly sign: 1n | -1n;
  /** × 10^18, above zero */
  readonly quantity: bigint;
  /**
   * What it was opened for: of a lot quantity × price. Positive for long and short, but for the dust of a pool: a share is rounded at the 18th place, so
   * what is left of a cost near 10^-18 can be zero, or less.
   */
  readonly value: Amount;
  /** Of the opening fees. */
  readonly fee: Amount;
}

/** A lot of a book. */
export interface Lot {
  readonly opener: Opener;
  readonly sign: 1n | -1n;
  quantity: bigint;
  fee: Amount;
}

/** What a closing part takes out of the book: of one lot, or of the pool. */
export interface Taken {
  /** × 10^18 */
  readonly quantity: bigint;
  /** What it was opened for: quantity × price. */
  readonly openValue: Amount;
  /** The part of the opening fees that goes with it. */
  readonly openFee: Amount;
  /** The lot's opener; for a pool its first. */
  readonly opener: Opener;
  /** Named by the user's file, against the order of the method. */
  readonly designated: boolean;
}

/** The open part of one market's position under one method: a port, one file a method. All of it has one sign. */
export interface CostBook {
  /** Adds to the position. `quantity` × 10^18, above zero; `fee`: the opening part of the fill's. */
  open(opener: Opener, sign: 1n | -1n, quantity: bigint, fee: Amount): void;
  /** Takes `quantity`, of no more than is open, against the closing fill, in the method's order. */
  close(closing: Trade, quantity: bigint): Taken[];
  /** What is open, a pool as one lot. The same method makes an equal book of it. */
  lots(): OpenLot[];
}

export function openLot({ opener, sign, quantity, fee }: Lot): OpenLot {
  return { opener, sign, quantity, value: quantity * opener.price, fee };
}

/** Takes so much of a lot, and its share of the fee: the last one takes what is left. */
export function takeOf(lot: Lot, quantity: bigint, designated = false): Taken {
  const openFee = quantity === lot.quantity ? lot.fee : shareOf(lot.fee, quantity, lot.quantity);
  lot.quantity -= quantity;
  lot.fee -= openFee;
  return { quantity, openValue: quantity * lot.opener.price, openFee, opener: lot.opener, designated };
}

/** Of a position that is not flat, by its sign. */
export function sideOf(signed: bigint): "long" | "short" {
  return signed < 0n ? "short" : "long";
}

export function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
