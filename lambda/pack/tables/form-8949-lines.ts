import type { Close } from "../../accounting/posted.ts";
import type { RateConverter } from "../../accounting/rates/converter.ts";
import type { Amount } from "../../core/amount.ts";
import { localDays } from "../../core/local-day.ts";
import { nextDay } from "../../core/period-days.ts";
import { isUnitedStates } from "../../core/tax-years.ts";
import type { PackContext } from "../make/maker.ts";
import type { PackRequest } from "../make/request.ts";
import { closedSideOf, costOf, openingDays, proceedsOf, quantityOf, VARIOUS } from "./closes.ts";

/** The currency of the form's amounts. */
export const USD = "USD";

/**
 * The United States' Form 8949 (IRS, Form 8949 and its instructions, 2025). It is made for a period of the
 * United States, in dollars. Property is identified lot by lot, or first in, first out; only shares of funds and
 * dividend reinvestment plans may have an average basis (26 CFR 1.1012-1 (c), (e) and (j)). Returns why it is not
 * made for such a period, and what to do. Null: it is made, or the period is of another country.
 */
export function form8949Obstacle({ period, currency, method }: Form8949Request): string | null {
  if (!isUnitedStates(period.name)) {
    return null;
  }
  const missing = [
    ...(currency === USD ? [] : ["it needs amounts in dollars (--currency USD)"]),
    ...(method === "average"
      ? [
          "by average cost it would be wrong, because that is for shares of funds only (26 CFR 1.1012-1(e)): choose FIFO, or another method that matches lots",
        ]
      : []),
  ];
  return missing.length === 0 ? null : `form-8949.csv was not made: ${missing.join("; and ")}`;
}

type Form8949Request = Pick<PackRequest, "period" | "currency" | "method">;

export function hasForm8949(request: Form8949Request): boolean {
  return isUnitedStates(request.period.name) && form8949Obstacle(request) === null;
}

/** What it leaves to the preparer. Null: the pack has no form. */
export function form8949Question({ period, converter, methods }: PackContext): string | null {
  return hasForm8949({ period, currency: converter?.to ?? null, method: methods.primary })
    ? "Form 8949: its lines are dates and amounts, and do not decide what the contracts are. Perpetual futures may be Section 1256 contracts (Form 6781, marked to market at the end of the year), Section 988 transactions (ordinary gain or loss), or capital assets on Form 8949, as digital assets or not. The preparer decides; none of it is settled law."
    : null;
}

/** A line of the form. Amounts are whole cents. */
export interface Form8949Line {
  /** Column (a). */
  readonly property: string;
  /** Column (b): MM/DD/YYYY, or VARIOUS. */
  readonly acquired: string;
  /** Column (c): MM/DD/YYYY. */
  readonly sold: string;
  /** Columns (d) and (e), fees included. Null: not known. */
  readonly amounts: { readonly proceeds: Amount; readonly cost: Amount } | null;
  /** Held for at most a year, or longer. Null: not known. */
  readonly term: Term | null;
}

type Term = "short" | "long";

/**
 * Both dates of a short position are those of its closing, by the form's instructions: it is acquired by what
 * closes it, and sold when that is delivered. So it is never held for more than a year.
 */
export function form8949Lines(context: PackContext, converter: RateConverter): (row: Close) => Form8949Line {
  const { zone } = context.period;
  const closingDay = localDays(zone);
  const firstDay = localDays(zone); // of its own, since each is fast for times that come in order
  const openedOn = openingDays(context);
  return (row) => {
    const sold = closingDay(row.own.time);
    const [proceeds, cost] = [proceedsOf(row), costOf(row)];
    const cents = (amount: Amount) => converter.convertToMinor(amount, row.trade.currency, row.own.time);
    const opened = openedOn(row) ?? VARIOUS;
    const acquired = row.match !== null && row.trade.sign === 1 ? sold : opened;
    return {
      property: propertyOf(row),
      acquired: acquired === VARIOUS ? VARIOUS : formDate(acquired),
      sold: formDate(sold),
      amounts: proceeds && cost && { proceeds: cents(proceeds), cost: cents(cost) },
      term: termOf(row, acquired, sold),
    };
  };

  function termOf({ match }: Close, acquired: string, sold: string): Term | null {
    if (match === null) {
      return null;
    }
    if (acquired !== VARIOUS) {
      return isHeldOverYear(acquired, sold) ? "long" : "short";
    }
    // A pool is short-term as long as its oldest part is. The day of a declared position is not known.
    const { opener } = match;
    return opener.matchId !== null && !isHeldOverYear(firstDay(opener.time), sold) ? "short" : null;
  }
}

/**
 * Whether it was held for more than one year. Days count from the day after the acquisition (IRS, Publication
 * 544, holding period).
 */
function isHeldOverYear(acquired: string, sold: string): boolean {
  const counted = nextDay(acquired);
  return sold >= String(Number(counted.slice(0, 4)) + 1) + counted.slice(4);
}

/** `0.5 BTC-USD perpetual, long` */
function propertyOf(row: Close): string {
  const { market } = row.trade;
  const quantity = quantityOf(row);
  return quantity === null ? `${market} perpetual` : `${quantity} ${market} perpetual, ${closedSideOf(row)}`;
}

/** `03/01/2025` of `2025-03-01` */
function formDate(day: string): string {
  return `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`;
}
