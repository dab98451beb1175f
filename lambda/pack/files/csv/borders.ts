import type { Carried } from "../../../accounting/statement.ts";
import { type Amount, totalOf, withSign, ZERO } from "../../../core/amount.ts";

/** What the chosen method carries across a border of time. */
export interface Carry {
  /** The opening value of what is open: positive for a long position, negative for a short one. */
  readonly openValue: Amount;
  /** The opening fees of what is open. */
  readonly deferredFee: Amount;
}

const NO_CARRY: Carry = { openValue: ZERO, deferredFee: ZERO };

/** The opening value of what is open: positive for a long position, negative for a short one. */
export function signedValue({ lots }: Carried): Amount {
  return totalOf(lots, ({ sign, value }) => withSign(sign, value));
}

/** Opening fees of what is open. */
export function deferredIn({ lots }: Carried): Amount {
  return totalOf(lots, ({ fee }) => fee);
}

/** Null: not known. */
export function carryOf(carried: Carried): Carry | null {
  return carried.blank === null ? { openValue: signedValue(carried), deferredFee: deferredIn(carried) } : null;
}

/** Null if one of them is not known. */
export function addCarries(carries: readonly (Carry | null)[]): Carry | null {
  let total = NO_CARRY;
  for (const carry of carries) {
    if (carry === null) {
      return null;
    }
    total = {
      openValue: total.openValue.plus(carry.openValue),
      deferredFee: total.deferredFee.plus(carry.deferredFee),
    };
  }
  return total;
}
