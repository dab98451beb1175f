import { type Amount, formatAmount, formatMoney, minorUnit } from "../../accounting/amount.ts";
import { type ByMethod, METHOD_NAMES, type Method } from "../../accounting/method.ts";
import { clockText } from "../../core/clock-text.ts";
import { magnitude } from "../../core/decimal.ts";
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
  /** The result if PnL is by average cost. */
  readonly averageResult: Agreement;
  /** Fills whose PnL or fee is not known. */
  readonly unknown: number;
  /** Names of files with movements of cash that the user did not give. */
  readonly notGiven: readonly string[];
}

/** The pack's. */
interface Context {
  readonly methods: ByMethod<Method>;
  readonly period: Pick<Period, "zone">;
}

/** At most this many currencies are named. */
const MOST = 5;

/**
 * One sentence for each currency (and account) whose statements differ, without its first word, which is
 * cash, and without its full stop.
 */
export function cashDifferences(all: readonly ComparedCash[], context: Context): string[] {
  const differing = all.filter(({ result }) => result === "differs");
  const groups = [...Map.groupBy(differing, ({ account = "", currency }) => `${account} ${currency}`).values()];
  const left = groups.length - MOST;
  return [
    ...groups.slice(0, MOST).map((own) => differenceText(own, context)),
    ...(left > 0 ? [`also differs in ${counted(left, "more currency", "more currencies")}`] : []),
  ];
}

function differenceText([first, ...later]: readonly ComparedCash[], { methods, period: { zone } }: Context): string {
  if (first === undefined) {
    throw new RangeError("no difference");
  }
  const { account, currency, from, to, opening, closing, movement, difference, averageResult } = first;
  const size = magnitude(difference ?? 0n);
  // Below a cent, rounded amounts would not show it.
  const text = (amount: Amount) => (size < minorUnit(currency) ? formatAmount(amount) : formatMoney(amount, currency));
  const isOfMethod = averageResult === "agrees";
  return [
    `in ${currency}${account === undefined ? "" : ` of ${account}`} differs by ${text(size)} from balances.csv`,
    `: the statement for ${clockText(to, zone)} says ${text(closing ?? 0n)}, but ${text((opening ?? 0n) + movement)} is calculated`,
    isOfMethod ? ` by ${METHOD_NAMES[methods.primary]}` : "",
    ` from the statement for ${clockText(from, zone)}`,
    later.length === 0 ? "" : `; it also differs in ${counted(later.length, "later range")} of time`,
    isOfMethod
      ? ". By average cost, which is how venues usually book it, the statements agree"
      : `. Possible causes: ${causesOf(first).join("; ")}`,
  ].join("");
}

function causesOf({ notGiven, unknown }: ComparedCash): string[] {
  return [
    ...notGiven.map((name) => `no ${name} was given`),
    ...(unknown === 0 ? [] : [`the PnL or fee of ${counted(unknown, "fill")} is not known`]),
    "a fee or interest that the venue's fills do not show",
  ];
}
