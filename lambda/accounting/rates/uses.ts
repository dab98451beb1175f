import { getOrMake } from "../../core/get-or-make.ts";
import { compareText } from "../../core/text.ts";
import { type Converted, SAME_CURRENCY } from "./converter.ts";

/** A rate that was used to convert lines. */
export interface RateUse {
  readonly currency: string;
  readonly rate: string;
  readonly rateDate: string;
  readonly source: string;
  /** The number of matches, fees and funding payments converted at it. */
  readonly lines: number;
}

type Counted = { -readonly [Key in keyof RateUse]: RateUse[Key] };

/** Counts the lines that were converted at each rate. Its size grows with currencies and days. */
export class RateUses {
  /** By currency, then date. Rates of one date differ in their source. */
  readonly #uses = new Map<string, Map<string, Counted[]>>();

  /** Amounts that are already in the currency need no rate. */
  count(currency: string, { rate, rateDate, source }: Omit<Converted, "amount">): void {
    if (source === SAME_CURRENCY) {
      return;
    }
    const dates = getOrMake(this.#uses, currency, () => new Map<string, Counted[]>());
    const uses = getOrMake(dates, rateDate, () => []);
    const known = uses.find((one) => one.source === source && one.rate === rate);
    if (known === undefined) {
      uses.push({ currency, rate, rateDate, source, lines: 1 });
    } else {
      known.lines += 1;
    }
  }

  get all(): readonly RateUse[] {
    return [...this.#uses.values()].flatMap((dates) => [...dates.values()].flat()).sort(byCurrencyAndDate);
  }
}

/** By currency, then date, then source, then rate: whatever was converted first. */
export function byCurrencyAndDate(a: RateUse, b: RateUse): number {
  return (
    compareText(a.currency, b.currency) ||
    compareText(a.rateDate, b.rateDate) ||
    compareText(a.source, b.source) ||
    compareText(a.rate, b.rate)
  );
}
