import { type Amount, totalOf, withSign } from "../core/amount.ts";
import type { UnknownReason } from "./booked.ts";
import type { OpenLot } from "./cost-book.ts";

/** The state of a market's accounts at one moment. */
export interface Carried {
  /** Signed. Null: not known. */
  readonly position: Amount | null;
  readonly blank: UnknownReason | null;
  /** The open lots by the chosen method. Empty while PnL is blank. */
  readonly lots: readonly OpenLot[];
}

/** What the chosen method carries across a border of time. */
export interface Carry {
  /** The opening value of what is open: positive for a long position, negative for a short one. */
  readonly openValue: Amount;
  /** The opening fees of what is open. */
  readonly deferredFee: Amount;
}

/** A carry, or why it is not known. */
export type Border = Carry | { readonly lacks: readonly UnknownReason[] };

export function carryOf(carried: Carried): Border {
  return carried.blank === null
    ? { openValue: openValueIn(carried), deferredFee: deferredIn(carried) }
    : { lacks: [carried.blank] };
}

export function openValueIn({ lots }: Pick<Carried, "lots">): Amount {
  return totalOf(lots, ({ sign, value }) => withSign(sign, value));
}

export function deferredIn({ lots }: Pick<Carried, "lots">): Amount {
  return totalOf(lots, ({ fee }) => fee);
}
