import { type Amount, ZERO } from "../../core/amount.ts";
import { formatMoney, minorUnit } from "../../core/currency.ts";
import { clockText } from "../../core/period.ts";
import { counted, firstOf } from "../../core/text.ts";
import { FUNDING, TRANSFERS } from "../../inputs/files.ts";
import type { Cash, PackContext } from "../make/maker.ts";

type Context = Pick<PackContext, "accounts" | "period">;

/** At most this many currencies are named. */
const MOST = 5;

/**
 * One sentence for each currency (and account) whose statements differ, without its first word, which is
 * cash, and without its full stop.
 */
export function cashDifferences(all: readonly Cash[], context: Context): readonly string[] {
  const texts = byCurrency(all).flatMap((own) => differenceText(own, context) ?? []);
  const more = (left: number) => `also differs in ${counted(left, "more currency", "more currencies")}`;
  return firstOf(texts, MOST, more);
}

/** The rows of each currency and account. */
export function byCurrency(all: readonly Cash[]): readonly (readonly Cash[])[] {
  return [...Map.groupBy(all, ({ account, currency }) => `${account} ${currency}`).values()];
}

/** Names the largest difference. `all`: the rows of one currency and account. Null: none differs. */
function differenceText(all: readonly Cash[], context: Context): string | null {
  const [largest, ...others] = all
    .filter(({ result }) => result === "differs")
    .sort((a, b) => sizeOf(b).cmp(sizeOf(a)));
  if (largest === undefined) {
    return null;
  }
  const { zone } = context.period;
  const { account, currency, from, to, opening, closing, movement } = largest;
  const size = sizeOf(largest);
  // Below a cent, rounded amounts would not show it.
  const text = (amount: Amount) => (size.lt(minorUnit(currency)) ? String(amount) : formatMoney(amount, currency));
  return [
    `in ${currency}${context.accounts.length === 1 ? "" : ` of ${account}`} differs by ${text(size)} from balances.csv`,
    `: the statement for ${clockText(to, zone)} says ${text(closing?.amount ?? ZERO)}, but ${text((opening?.amount ?? ZERO).plus(movement ?? ZERO))} is calculated`,
    ` from the statement for ${clockText(from, zone)}`,
    others.length === 0 ? "" : `; it also differs in ${counted(others.length, "other range")} of time`,
    `. Possible causes: ${causesOf(largest, all, zone).join("; ")}`,
  ].join("");
}

function sizeOf({ difference }: Cash): Amount {
  return (difference ?? ZERO).abs();
}

function causesOf({ from, to, funding, transfers }: Cash, all: readonly Cash[], zone: string): string[] {
  const unknown = unknownText(all);
  const isDay = [from, to].some((time) => clockText(time, zone).endsWith(` 00:00 (${zone})`));
  return [
    ...(funding === null ? [`no ${FUNDING} was given`] : []),
    ...(transfers === null ? [`no ${TRANSFERS} was given`] : []),
    ...(unknown === null ? [] : [unknown]),
    "a fee or interest that the venue's fills do not show",
    ...(isDay ? [`a statement by another clock: a date alone is the start of that day in ${zone}`] : []),
  ];
}

/** Why cash by another method than average cost is not the venue's. */
export const OTHER_CASH =
  "Venues book PnL to the cash by average cost, as balance.csv has it; journals and imports book it by the chosen method, so their cash differs while a position is open.";

/** That the calculated cash lacks fills, also where the statements agree; null: it has all. */
export function unknownText(all: readonly Cash[]): string | null {
  const unknown = all.reduce((sum, one) => sum + one.unknown, 0);
  return unknown === 0 ? null : `the PnL or fee of ${counted(unknown, "fill")} is not known`;
}
