import { magnitude } from "../../core/decimal.ts";
import { PriorityQueue } from "../../core/priority-queue.ts";
import { compareText } from "../../core/text.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import type { Transfer } from "../../inputs/transfers.ts";
import { FreeLines } from "./free-lines.ts";

/** How long cash may be on its way from one account to another, ms: two days of a file, one of which may have an hour more when clocks go back. */
export const LONGEST_WAY_MS = 2 * DAY_MS + HOUR_MS;

/** A line of an account's transfers.csv. */
export interface AccountTransfer extends Transfer {
  readonly account: string;
}

export interface MatchedTransfer extends AccountTransfer {
  /** The same cash at the other account; null: it came from outside, or went there. */
  readonly other: AccountTransfer | null;
  /** Lines of other accounts that it could be, this one or not. */
  readonly candidates: number;
}

/**
 * Finds what one account withdrew and another deposited: the same currency and the same exact amount, no further apart than LONGEST_WAY_MS. The two that are
 * closest in time are taken first, so that the result does not depend on the order of the accounts; of equally close ones the earlier. By time, then account.
 */
export function matchTransfers(all: readonly AccountTransfer[]): MatchedTransfer[] {
  const sorted = all.toSorted(inOrder);
  const found = new Map<AccountTransfer, Found>();
  for (const alike of Map.groupBy(sorted, ({ currency, amount }) => `${currency} ${magnitude(amount)}`).values()) {
    findAmong(alike, found);
  }
  return sorted.map((one) => ({ ...one, ...(found.get(one) ?? NOTHING) }));
}

type Found = Pick<MatchedTransfer, "other" | "candidates">;
const NOTHING: Found = { other: null, candidates: 0 };

interface Pair {
  readonly withdrawal: AccountTransfer;
  readonly deposit: AccountTransfer;
  /** ms */
  readonly apart: number;
}

/** Of one currency and amount, by time. */
function findAmong(alike: readonly AccountTransfer[], found: Map<AccountTransfer, Found>): void {
  const withdrawals = alike.filter(({ amount }) => amount < 0n);
  const deposits = alike.filter(({ amount }) => amount > 0n);
  const depositsOfOthers = ofOthers(withdrawals, deposits);
  const withdrawalsOfOthers = ofOthers(deposits, withdrawals);
  const queue = new PriorityQueue<Pair>(
    (a, b) => a.apart - b.apart || inOrder(a.withdrawal, b.withdrawal) || inOrder(a.deposit, b.deposit),
  );
  const pushNearest = (withdrawal: AccountTransfer) => {
    const deposit = depositsOfOthers.get(withdrawal.account)?.nearest(withdrawal.time) ?? null;
    const apart = Math.abs((deposit?.time ?? Number.POSITIVE_INFINITY) - withdrawal.time);
    if (deposit !== null && apart <= LONGEST_WAY_MS) {
      queue.push({ withdrawal, deposit, apart });
    }
  };
  const candidatesOf = ({ account, time }: AccountTransfer, others: typeof depositsOfOthers) =>
    others.get(account)?.countAround(time, LONGEST_WAY_MS) ?? 0;
  for (const one of withdrawals) {
    found.set(one, { other: null, candidates: candidatesOf(one, depositsOfOthers) });
    pushNearest(one);
  }
  for (const one of deposits) {
    found.set(one, { other: null, candidates: candidatesOf(one, withdrawalsOfOthers) });
  }
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    const { withdrawal, deposit } = pair;
    const [own, its] = [found.get(withdrawal) ?? NOTHING, found.get(deposit) ?? NOTHING];
    if (its.other === null) {
      found.set(withdrawal, { ...own, other: deposit });
      found.set(deposit, { ...its, other: withdrawal });
      for (const free of depositsOfOthers.values()) {
        free.take(deposit);
      }
    } else {
      pushNearest(withdrawal); // a closer one has taken the deposit meanwhile
    }
  }
}

/** For each account of `lines`, what of `all` is of other accounts. */
function ofOthers(
  lines: readonly AccountTransfer[],
  all: readonly AccountTransfer[],
): ReadonlyMap<string, FreeLines<AccountTransfer>> {
  const accounts = new Set(lines.map(({ account }) => account));
  return new Map([...accounts].map((own) => [own, new FreeLines(all.filter(({ account }) => account !== own))]));
}

function inOrder(a: AccountTransfer, b: AccountTransfer): number {
  return a.time - b.time || compareText(a.account, b.account) || a.line - b.line;
}
