import { feesOf, isWhole, type Sum } from "../../../accounting/aggregate.ts";
import type { Amount } from "../../../accounting/amount.ts";
import type { MarketStatement } from "../../../accounting/statement.ts";
import { deferredIn, type MethodIndex, signedValue } from "./figures.ts";
import type { Kept } from "./shown-trades.ts";

/** opening + bought − sold = closing, × 10^18 */
export interface QuantityCheck {
  readonly opening: bigint;
  readonly bought: bigint;
  readonly sold: bigint;
  readonly closing: bigint;
  readonly difference: bigint;
}

/** For each method: realised before fees − change of open value. It is the same for both, and the cash flow of the fills. */
export interface ValueCheck {
  readonly changes: readonly [Amount, Amount];
  readonly totals: readonly [Amount, Amount];
}

/** carried at the beginning + paid = recognised + carried at the end */
export interface FeeCheck {
  readonly start: Amount;
  readonly paid: Amount;
  readonly recognised: Amount;
  readonly end: Amount;
  readonly difference: Amount;
}

/** What must hold for one market; null where the position, or what it was opened for, is not known all through the period. */
export interface MarketCheck {
  readonly market: MarketStatement;
  readonly sum: Sum;
  readonly quantity: QuantityCheck | null;
  readonly value: ValueCheck | null;
  readonly fees: readonly [FeeCheck, FeeCheck] | null;
}

export function checkMarket(market: MarketStatement, sum: Sum, kept: Kept): MarketCheck {
  const quantity = sum.breaks > 0 ? null : quantityCheck(market, kept);
  const isKnown = quantity !== null && isWhole(sum) && market.before.blank === null && market.after.blank === null;
  return {
    market,
    sum,
    quantity,
    value: isKnown ? valueCheck(market, sum) : null,
    fees: isKnown ? [feeCheck(market, sum, 0), feeCheck(market, sum, 1)] : null,
  };
}

function quantityCheck({ market, before, after }: MarketStatement, { markets }: Kept): QuantityCheck | null {
  const { bought, sold, unplaced } = markets.get(market) ?? { bought: 0n, sold: 0n, unplaced: 0 };
  const [opening, closing] = [before.position, after.position];
  return opening === null || closing === null || unplaced > 0
    ? null
    : { opening, bought, sold, closing, difference: opening + bought - sold - closing };
}

function valueCheck(market: MarketStatement, { gross }: Sum): ValueCheck {
  const change = (method: MethodIndex) => signedValue(market.after, method) - signedValue(market.before, method);
  const changes = [change(0), change(1)] as const;
  return { changes, totals: [gross[0] - changes[0], gross[1] - changes[1]] };
}

function feeCheck(market: MarketStatement, sum: Sum, method: MethodIndex): FeeCheck {
  const [start, end] = [deferredIn(market.before, method), deferredIn(market.after, method)];
  const [paid, recognised] = [feesOf(sum), sum.fees[method]];
  return { start, paid, recognised, end, difference: start + paid - recognised - end };
}

export function addFeeChecks(checks: readonly MarketCheck[], method: MethodIndex): FeeCheck {
  const known = checks.flatMap(({ fees }) => (fees === null ? [] : [fees[method]]));
  return known.reduce(
    (sum, one) => ({
      start: sum.start + one.start,
      paid: sum.paid + one.paid,
      recognised: sum.recognised + one.recognised,
      end: sum.end + one.end,
      difference: sum.difference + one.difference,
    }),
    { start: 0n, paid: 0n, recognised: 0n, end: 0n, difference: 0n },
  );
}
