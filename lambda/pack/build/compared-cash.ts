import { countOf } from "../../accounting/aggregate.ts";
import type { Methods } from "../../accounting/method.ts";
import { type Amount, ZERO } from "../../core/amount.ts";
import { clockText } from "../../core/clock-text.ts";
import { formatMoney, minorUnit } from "../../core/currency.ts";
import type { Period } from "../../core/period.ts";
import { counted } from "../../core/text.ts";

export type Agreement = "agrees" | "differs" | "no statement";

/** A row of balance.csv: calculated cash, compared with the user's statements at both ends of a time. */
export interface ComparedCash {
  /** In a pack of several accounts: the account. */
  readonly account?: string;
  /** Empty: not known. */
  readonly currency: string;
  readonly from: number;
  readonly to: number;
  /** According to the statements. Null: there is none. */
  readonly opening: Amount | null;
  readonly closing: Amount | null;
  readonly movement: Amount;
  /** Stated less calculated. Null: a statement is missing. */
  readonly difference: Amount | null;
  readonly result: Agreement;
  /** Fills whose PnL or fee is not known. */
  readonly unknown: number;
  /** Names of files with movements of cash that the user did not give. */
  readonly notGiven: readonly string[];
}

/** The pack's. */
interface Context {
  readonly methods: Methods;
  readonly period: Pick<Period, "zone">;
}

/** At most this many currencies are named. */
const MOST = 5;

/**
 * One sentence for each currency (and account) whose statements differ, without its first word, which is
 * cash, and without its full stop.
 */
export function cashDifferences(all: readonly ComparedCash[], context: Context): string[] {
  const differing = byCurrency(all).filter((own) => own.some(({ result }) => result === "differs"));
  const left = differing.length - MOST;
  return [
    ...differing.slice(0, MOST).map((own) => differenceText(own, context)),
    ...(left > 0 ? [`also differs in ${counted(left, "more currency", "more currencies")}`] : []),
  ];
}

/** The rows of each currency and account. */
export function byCurrency(all: readonly ComparedCash[]): readonly (readonly ComparedCash[])[] {
  return [...Map.groupBy(all, ({ account = "", currency }) => `${account} ${currency}`).values()];
}

/** Names the largest difference. `all`: the rows of one currency and account, some of which differ. */
function differenceText(all: readonly ComparedCash[], { methods, period: { zone } }: Context): string {
  const [largest, ...others] = all.filter(({ result }) => result === "differs").sort((a, b) => bySize(b, a));
  if (largest === undefined) {
    throw new RangeError("no difference");
  }
  const { account, currency, from, to, opening, closing, movement } = largest;
  const size = sizeOf(largest);
  // Below a cent, rounded amounts would not show it.
  const text = (amount: Amount) => (size.lt(minorUnit(currency)) ? String(amount) : formatMoney(amount, currency));
  return [
    `in ${currency}${account === undefined ? "" : ` of ${account}`} differs by ${text(size)} from balances.csv`,
    `: the statement for ${clockText(to, zone)} says ${text(closing ?? ZERO)}, but ${text((opening ?? ZERO).plus(movement))} is calculated`,
    ` from the statement for ${clockText(from, zone)}`,
    others.length === 0 ? "" : `; it also differs in ${counted(others.length, "other range")} of time`,
    `. Possible causes: ${causesOf(all, methods).join("; ")}`,
  ].join("");
}

function sizeOf({ difference }: ComparedCash): Amount {
  return (difference ?? ZERO).abs();
}

function bySize(a: ComparedCash, b: ComparedCash): number {
  return sizeOf(a).cmp(sizeOf(b));
}

function causesOf(all: readonly ComparedCash[], { primary }: Methods): string[] {
  const unknown = unknownText(all);
  return [
    ...new Set(all.flatMap(({ notGiven }) => notGiven.map((name) => `no ${name} was given`))),
    ...(unknown === null ? [] : [unknown]),
    ...(primary === "average" ? [] : ["the venue books PnL by average cost, as venues usually do"]),
    "a fee or interest that the venue's fills do not show",
  ];
}

/** That the calculated cash lacks fills, also where the statements agree; null: it has all. */
export function unknownText(all: readonly ComparedCash[]): string | null {
  const unknown = countOf(all, (one) => one.unknown);
  return unknown === 0 ? null : `the PnL or fee of ${counted(unknown, "fill")} is not known`;
}
