import { feesOf, isWhole, sumOf } from "../../../accounting/aggregate.ts";
import type { Carried, MarketMonth, MarketStatement } from "../../../accounting/statement.ts";
import { type Amount, totalOf, withSign, ZERO } from "../../../core/amount.ts";
import type { PeriodMonth } from "../../../core/period.ts";

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

/**
 * What a market carries across the borders of the period's months. The first and last are the period's own.
 * The others follow from two laws: `open value + gross − cash flow` and `deferred fee + paid − recognised`.
 * They are null unless all PnL of the period is known. `marketMonths`: the market's own, by month.
 */
export function bordersOf(
  { before, after }: MarketStatement,
  marketMonths: readonly MarketMonth[],
  months: readonly PeriodMonth[],
): readonly (Carry | null)[] {
  const [start, end] = [carryOf(before), carryOf(after)];
  const isKnown = start !== null && end !== null && marketMonths.every(isWhole);
  const byMonth = new Map(marketMonths.map((one) => [one.month, one]));
  let carry = isKnown ? start : null;
  const within = months.slice(0, -1).map(({ name }) => {
    const marketMonth = byMonth.get(name);
    carry = carry === null || marketMonth === undefined ? carry : carryAfter(carry, marketMonth);
    return carry;
  });
  return [start, ...within, end];
}

function carryAfter({ openValue, deferredFee }: Carry, marketMonth: MarketMonth): Carry {
  return {
    openValue: openValue.plus(marketMonth.gross).minus(marketMonth.cashFlow),
    deferredFee: deferredFee.plus(feesOf(sumOf([marketMonth]))).minus(marketMonth.fees),
  };
}
