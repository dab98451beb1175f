import { magnitude } from "../../core/decimal.ts";
import { compareText } from "../../core/text.ts";
import { DAY_MS } from "../../core/time.ts";
import type { Transfer } from "../../inputs/transfers.ts";

/** How long cash may be on its way from one account to another, ms; a day of a file is its first moment, so that two files may be a day apart. */
export const LONGEST_WAY_MS = 2 * DAY_MS;

/** Deposits that are looked at before a withdrawal, and so many after it: of equal amounts, some file may have thousands. */
const MOST_NEAR = 20;

/** A line of an account's transfers.csv. */
export interface AccountTransfer extends Transfer {
  readonly account: string;
}

export interface MatchedTransfer extends AccountTransfer {
  /** The same cash at the other account; null: it came from outside, or went there. */
  readonly other: AccountTransfer | null;
  /** Lines of other accounts that it could be, this one or not; of the nearest. */
  readonly candidates: number;
}

/**
 * Finds what one account withdrew and another deposited: the same currency and the same exact amount, no further apart than LONGEST_WAY_MS. The two that are
 * closest in time are taken first, so that the result does not depend on the order of the accounts; of equally close ones the earlier. By time, then account.
 */
export function matchTransfers(all: readonly AccountTransfer[]): MatchedTransfer[] {
  const pairs = pairsOf(all).sort(
    (a, b) => a.apart - b.apart || inOrder(a.withdrawal, b.withdrawal) || inOrder(a.deposit, b.deposit),
  );
  const other = new Map<AccountTransfer, AccountTransfer>();
  const candidates = new Map<AccountTransfer, number>();
  for (const { withdrawal, deposit } of pairs) {
    for (const one of [withdrawal, deposit]) {
      candidates.set(one, (candidates.get(one) ?? 0) + 1);
    }
    if (!(other.has(withdrawal) || other.has(deposit))) {
      other.set(withdrawal, deposit);
      other.set(deposit, withdrawal);
    }
  }
  return all
    .toSorted(inOrder)
    .map((one) => ({ ...one, other: other.get(one) ?? null, candidates: candidates.get(one) ?? 0 }));
}

interface Pair {
  readonly withdrawal: AccountTransfer;
  readonly deposit: AccountTransfer;
  /** ms */
  readonly apart: number;
}

function pairsOf(all: readonly AccountTransfer[]): Pair[] {
  const same = Map.groupBy(all, ({ currency, amount }) => `${currency} ${magnitude(amount)}`);
  return [...same.values()].flatMap((alike) => {
    const withdrawals = alike.filter(({ amount }) => amount < 0n).sort(inOrder);
    const deposits = alike.filter(({ amount }) => amount > 0n).sort(inOrder);
    let at = 0;
    return withdrawals.flatMap((withdrawal) => {
      while ((deposits[at]?.time ?? Number.POSITIVE_INFINITY) < withdrawal.time) {
        at += 1;
      }
      return deposits
        .slice(Math.max(0, at - MOST_NEAR), at + MOST_NEAR)
        .map((deposit) => ({ withdrawal, deposit, apart: Math.abs(deposit.time - withdrawal.time) }))
        .filter(({ deposit, apart }) => deposit.account !== withdrawal.account && apart <= LONGEST_WAY_MS);
    });
  });
}

function inOrder(a: AccountTransfer, b: AccountTransfer): number {
  return a.time - b.time || compareText(a.account, b.account) || a.line - b.line;
}
