import { type Amount, divide, ZERO } from "../../core/amount.ts";
import { minorUnitsOf } from "../../core/currency.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { localDays } from "../../core/local-day.ts";
import type { MissingRate } from "./missing-rate.ts";
import { type DayRate, PAR, type Rates, type Ratio } from "./rates.ts";

/** An amount in the currency of the tax return, with its rate. */
export interface Converted extends Omit<DayRate, "ratio"> {
  /** amount × rate, rounded half even to 8 decimals. This is the only rounding. */
  readonly amount: Amount;
}

export interface RateConverter {
  /** The currency into which amounts are converted. */
  readonly to: string;
  /**
   * Converts at the rate of the local day of `time`, ms UTC. Without a rate it gives 0 and notes the day in
   * `missing`.
   */
  convert(amount: Amount, currency: string, time: number): Converted;
  /** For amounts that may stay unconverted: null without a rate. */
  convertIfKnown(amount: Amount, currency: string, time: number): Converted | null;
  /** Converts to whole minor units (cents of USD), rounded once. 0 without a rate. */
  convertToMinor(amount: Amount, currency: string, time: number): Amount;
  /** The rates that `convert` lacked so far. If there are any, the pack must not be published. */
  readonly missing: readonly MissingRate[];
}

export type Converter = Pick<RateConverter, "to" | "convert" | "convertIfKnown">;

export interface ConverterPlan {
  readonly rates: Rates;
  readonly to: string;
  /** The period's zone, IANA. */
  readonly zone: string;
}

export const SAME_CURRENCY = "same currency";

const IDENTITY: DayRate = { ratio: PAR, rate: "1", rateDate: "", source: SAME_CURRENCY };
const MISSING: Converted = { amount: ZERO, rate: "", rateDate: "", source: "missing" };

/** Remembers the rate of each currency and day, so its size does not grow with the number of amounts. */
export function createConverter({ rates, to, zone }: ConverterPlan): RateConverter {
  const dayOf = localDays(zone);
  const known = new Map<string, Map<string, DayRate | null>>();
  const missing = new Map<string, MissingRate>();
  const knownOn = (currency: string, time: number): DayRate | null => {
    const day = dayOf(time);
    const days = getOrMake(known, currency, () => new Map<string, DayRate | null>());
    return getOrMake(days, day, () => (currency === to ? IDENTITY : rates.find(currency, to, day)));
  };
  const places = minorUnitsOf(to);
  const convertIfKnown: RateConverter["convertIfKnown"] = (amount, currency, time) => {
    const found = knownOn(currency, time);
    if (found === null) {
      return null;
    }
    const { ratio, ...rate } = found;
    return { amount: convertAt(amount, ratio, CONVERTED_PLACES), ...rate };
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
    convertToMinor: (amount, currency, time) => {
      const found = knownOn(currency, time);
      return found === null ? ZERO : convertAt(amount, found.ratio, places);
    },
    get missing() {
      return [...missing.values()];
    },
  };
}

/** Decimals of a converted amount. */
const CONVERTED_PLACES = 8;

/** `amount × rate`, rounded half even to the places. This is the only rounding of a conversion. */
function convertAt(amount: Amount, { numerator, denominator }: Ratio, places: number): Amount {
  return divide(amount.times(numerator), denominator, places);
}
