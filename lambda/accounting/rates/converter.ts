import { getOrMake } from "../../core/get-or-make.ts";
import { localDays } from "../../core/local-day.ts";
import type { Amount } from "../amount.ts";
import { convertAt, type Fraction, formatRate, ONE } from "./fraction.ts";
import type { Rates } from "./rates.ts";

/** An amount in the currency of the tax return, and what it rests on. */
export interface Converted {
  /** amount × rate, rounded half even to 8 decimals: the only rounding. */
  readonly amount: Amount;
  /** How much of it 1 unit of the original currency is: plain text of at most 18 significant digits, exact where it has no more. */
  readonly rate: string;
  /** The local date of the rate, or of the older one of several; of a month's or year's rate its first day. "" for a par, and for the same currency. */
  readonly rateDate: string;
  /** File and series of each step, the par that was declared, or `same currency`. */
  readonly source: string;
}

export interface Converter {
  /** What amounts are converted to. */
  readonly to: string;
  /** By the rate of the local day of `time`, ms UTC. Throws `usage` when there is none. */
  convert(amount: Amount, currency: string, time: number): Converted;
}

export interface ConverterPlan {
  readonly rates: Rates;
  readonly to: string;
  /** IANA: the period's. */
  readonly zone: string;
}

export const SAME_CURRENCY = "same currency";

interface Known extends Omit<Converted, "amount"> {
  readonly fraction: Fraction;
}

/** Remembers the rate of each currency and day: what it holds does not grow with the amounts. */
export function createConverter({ rates, to, zone }: ConverterPlan): Converter {
  const dayOf = localDays(zone);
  const known = new Map<string, Map<string, Known>>();
  return {
    to,
    convert: (amount, currency, time) => {
      const day = dayOf(time);
      const days = getOrMake(known, currency, () => new Map<string, Known>());
      const { fraction, rate, rateDate, source } = getOrMake(days, day, () => knownRate(rates, currency, to, day));
      return { amount: convertAt(amount, fraction), rate, rateDate, source };
    },
  };
}

function knownRate(rates: Rates, currency: string, to: string, day: string): Known {
  if (currency === to) {
    return { fraction: ONE, rate: "1", rateDate: "", source: SAME_CURRENCY };
  }
  const { rate, date, source } = rates.find(currency, to, day);
  return { fraction: rate, rate: formatRate(rate), rateDate: date, source };
}
