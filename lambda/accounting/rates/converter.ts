import { getOrMake } from "../../core/get-or-make.ts";
import { localDays } from "../../core/local-day.ts";
import type { Amount } from "../amount.ts";
import { convertAt, type Fraction, formatRate, ONE } from "./fraction.ts";
import type { MissingRate } from "./missing-rate.ts";
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
  /** By the rate of the local day of `time`, ms UTC. */
  convert(amount: Amount, currency: string, time: number): Converted;
}

/** By rates of which some may be missing. */
export interface RateConverter extends Converter {
  /** Where there is no rate it gives 0 and keeps the day in `missing`. */
  convert(amount: Amount, currency: string, time: number): Converted;
  /** The same for what can do without: null where there is no rate. */
  convertIfKnown(amount: Amount, currency: string, time: number): Converted | null;
  /** What `convert` lacked so far: a pack of it must not be published. */
  readonly missing: readonly MissingRate[];
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

const MISSING: Converted = { amount: 0n, rate: "", rateDate: "", source: "missing" };

/** Remembers the rate of each currency and day: what it holds does not grow with the amounts. */
export function createConverter({ rates, to, zone }: ConverterPlan): RateConverter {
  const dayOf = localDays(zone);
  const known = new Map<string, Map<string, Known | null>>();
  const missing = new Map<string, MissingRate>();
  const convertIfKnown: RateConverter["convertIfKnown"] = (amount, currency, time) => {
    const day = dayOf(time);
    const days = getOrMake(known, currency, () => new Map<string, Known | null>());
    const found = getOrMake(days, day, () => knownRate(rates, currency, to, day));
    if (found === null) {
      return null;
    }
    const { fraction, rate, rateDate, source } = found;
    return { amount: convertAt(amount, fraction), rate, rateDate, source };
  };
  return {
    to,
    convertIfKnown,
    convert: (amount, currency, time) => {
      const converted = convertIfKnown(amount, currency, time);
      if (converted === null) {
        const day = dayOf(time);
        missing.set(`${currency}\n${day}`, { from: currency, to, day });
      }
      return converted ?? MISSING;
    },
    get missing() {
      return [...missing.values()];
    },
  };
}

function knownRate(rates: Rates, currency: string, to: string, day: string): Known | null {
  if (currency === to) {
    return { fraction: ONE, rate: "1", rateDate: "", source: SAME_CURRENCY };
  }
  const found = rates.find(currency, to, day);
  return found && { fraction: found.rate, rate: formatRate(found.rate), rateDate: found.date, source: found.source };
}
