import { ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { firstPlace } from "../../core/ranges.ts";
import { compareText } from "../../core/text.ts";
import { DAY_MS, HOUR_MS } from "../../core/time.ts";
import type { Transfer } from "../../inputs/tables.ts";
import { account, count, money, note, REQUIRED, text, time } from "./column.ts";
import type { Table } from "./table.ts";

/**
 * The longest time between a withdrawal and the deposit of the same cash, ms: two days of a file, and an hour
 * if clocks go back.
 */
export const LONGEST_WAY_MS = 2 * DAY_MS + HOUR_MS;

/** A line of an account's transfers.csv. */
export interface AccountTransfer extends Transfer {
  readonly account: string;
}

export interface MatchedTransfer extends AccountTransfer {
  /** The same cash at the other account. Null: it came from outside or went there. */
  readonly other: AccountTransfer | null;
  /** How many lines of other accounts would fit, including this one. */
  readonly candidates: number;
}

/**
 * Matches withdrawals of one account with deposits of another: the same currency and exact amount, at most
 * LONGEST_WAY_MS apart. In the order of time, each line is matched with the latest free line before it that
 * fits. So no two lines are left that fit each other. Sorted by time, then account.
 */
export function matchTransfers(all: readonly AccountTransfer[]): MatchedTransfer[] {
  const sorted = all.toSorted((a, b) => a.time - b.time || compareText(a.account, b.account) || a.line - b.line);
  const others = new Map<AccountTransfer, AccountTransfer>();
  const candidates = new Map<AccountTransfer, number>();
  for (const alike of Map.groupBy(sorted, ({ currency, amount }) => `${currency} ${amount.abs()}`).values()) {
    pair(alike, others);
    countCandidates(alike, candidates);
  }
  return sorted.map((one) => ({ ...one, other: others.get(one) ?? null, candidates: candidates.get(one) ?? 0 }));
}

/** Lines by direction and account, each list by time. */
type Lines = Readonly<Record<Direction, Map<string, AccountTransfer[]>>>;
type Direction = "in" | "out";

const OPPOSITE = { in: "out", out: "in" } as const;

function directionOf({ amount }: AccountTransfer): Direction {
  return amount.lt(ZERO) ? "out" : "in";
}

/** `alike`: lines of one currency and amount, by time. */
function pair(alike: readonly AccountTransfer[], others: Map<AccountTransfer, AccountTransfer>): void {
  const waiting: Lines = { in: new Map(), out: new Map() };
  for (const one of alike) {
    const own = directionOf(one);
    const [last] = [...waiting[OPPOSITE[own]]]
      .filter(([owner]) => owner !== one.account)
      .flatMap(([, lines]) => lines.slice(-1))
      .sort((a, b) => b.time - a.time || compareText(a.account, b.account));
    if (last === undefined || one.time - last.time > LONGEST_WAY_MS) {
      getOrMake(waiting[own], one.account, () => []).push(one);
      continue;
    }
    waiting[OPPOSITE[own]].get(last.account)?.pop();
    others.set(one, last).set(last, one);
  }
}

function countCandidates(alike: readonly AccountTransfer[], candidates: Map<AccountTransfer, number>): void {
  const lines: Lines = { in: new Map(), out: new Map() };
  for (const one of alike) {
    getOrMake(lines[directionOf(one)], one.account, () => []).push(one);
  }
  for (const one of alike) {
    const counts = [...lines[OPPOSITE[directionOf(one)]]].map(([owner, own]) =>
      owner === one.account
        ? 0
        : countBefore(own, one.time + LONGEST_WAY_MS + 1) - countBefore(own, one.time - LONGEST_WAY_MS),
    );
    candidates.set(
      one,
      counts.reduce((sum, number) => sum + number, 0),
    );
  }
}

/** One amount may occur thousands of times. */
function countBefore(lines: readonly AccountTransfer[], until: number): number {
  return firstPlace(lines, (line) => line.time < until);
}

/** transfers.csv: each line of the accounts' own files, and the account that the cash went to or came from. */
export function transfersTable(transfers: readonly MatchedTransfer[]): Table<MatchedTransfer> {
  return {
    path: "transfers.csv",
    description:
      "Deposits and withdrawals of all accounts, from their transfers.csv files. If one account withdrew the same amount of the same currency that another account deposited at most two days apart, each of the two rows names the other account. This match is based on amount and time only; other_candidates shows where more than one line would match.",
    columns: [
      time("time", "Time of the transfer, UTC.", (row) => row.time, REQUIRED),
      account<MatchedTransfer>((row) => row.account),
      text("currency", "Currency of the amount.", (row) => row.currency, REQUIRED),
      money("amount", "Positive: a deposit. Negative: a withdrawal.", (row) => row.amount, REQUIRED),
      note("note", "The user's note.", (row) => row.note),
      text(
        "between",
        "accounts: to or from another account of the pack. outside: to or from elsewhere.",
        ({ other }) => (other === null ? "outside" : "accounts"),
        REQUIRED,
      ),
      text("other_account", "The other account. Empty for outside.", ({ other }) => other?.account),
      time(
        "other_time",
        "Time of the transfer in the other account, UTC. It can be outside the period.",
        ({ other }) => other?.time,
      ),
      count(
        ["other_candidates", "Candidates"],
        "Number of lines of other accounts that would match this line: same currency and opposite amount, at most two days apart. It includes the line named in other_account. If there are more, another line could be the right match.",
        ({ candidates }) => candidates,
        REQUIRED,
      ),
    ],
    rows: { atEnd: () => transfers },
  };
}
