import { netOf, type Sum } from "../../../accounting/aggregate.ts";
import { type Amount, ZERO } from "../../../core/amount.ts";
import type { PackContext } from "../../build/maker.ts";

/** Fills whose PnL is not known. */
export function unknownIn({ blankCloses, untyped }: Sum): number {
  return blankCloses + untyped;
}

type Funded = Pick<PackContext, "funding">;

/** Net PnL, with funding if the user gave a file. */
export function netWithFunding(sum: Sum, { funding }: Funded): Amount {
  return netOf(sum).plus(funding === null ? ZERO : (sum.funding ?? ZERO));
}

/** The words for such a net amount. */
export function fundingWords({ funding }: Funded): string {
  return funding === null ? "excl. funding" : "incl. funding";
}

/** The first `limit` items of a list, and how many are left out. */
export function firstOf<T>(
  values: readonly T[],
  limit: number,
): { readonly shown: readonly T[]; readonly left: number } {
  return { shown: values.slice(0, limit), left: Math.max(0, values.length - limit) };
}

/** The most days of a chart and its table. */
const MOST_DAYS = 400;

/** All days, or the last one of each group of days, plus the days that `isKept` selects. */
export function thinned<T>(days: readonly T[], isKept: (day: T) => boolean = () => false): readonly T[] {
  const every = Math.ceil(days.length / MOST_DAYS);
  return every <= 1
    ? days
    : days.filter((day, at) => isKept(day) || at % every === every - 1 || at === days.length - 1);
}
