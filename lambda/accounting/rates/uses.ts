import { getOrMake } from "../../core/get-or-make.ts";
import { compareText } from "../../core/text.ts";
import { type Converted, SAME_CURRENCY } from "./converter.ts";

/** A rate that was used to convert lines. */
export interface RateUse {
  readonly currency: string;
  readonly rate: string;
  readonly rateDate: string;
  readonly source: string;
  /** The number of matches, fees, funding payments and open positions converted at it. */
  readonly lines: number;
}

type Counted = { -readonly [Key in keyof RateUse]: RateUse[Key] };

/** Counts the lines that were converted at each rate. Its size grows with currencies and days. */
export class RateUses {
  readonly #uses = new Map<string, Counted>();

  /** Amounts that are already in the currency need no rate. */
  count(currency: string, { rate, rateDate, source }: Omit<Converted, "amount">): void {
    if (source !== SAME_CURRENCY) {
      const none = () => ({ currency, rate, rateDate, source, lines: 0 });
      getOrMake(this.#uses, [currency, rateDate, source, rate].join("\0"), none).lines += 1;
    }
  }

  /** By currency, then date, then source, then rate. */
  get all(): readonly RateUse[] {
    return [...this.#uses].sort(([a], [b]) => compareText(a, b)).map(([, use]) => use);
  }
}
