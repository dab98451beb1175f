import { describe } from "../../formats/json.ts";
import { spanIn } from "./dates.ts";
import { long } from "./tables.ts";

export const HEADINGS = ["date", "base", "quote", "rate", "source"];
const SOURCE = /^[^\p{Cc}]{1,200}$/u;

/*
 * Our own, for every other source: what is written down from a web page, an exchange's closing prices of a
 * stablecoin, an office's yearly averages.
 *
 *   date,base,quote,rate,source
 *   2025-03-01,USDT,USD,0.9996,close of BIGEX:USDTUSD
 *   2025,USD,CHF,0.83,average of the year, page of 5 January 2026
 *
 * 1 base = rate quote. The date is a day, a month (`2025-03`) or a year (`2025`); the rate of a month or a
 * year is for its days only. The source is printed beside every amount, and must be there (in quotes when it
 * has a comma).
 */
export const GENERIC = long({
  label: "the user's own rates",
  endsAnywhere: true,
  hint: 'write it like this: 2025-03-01,USDT,USD,0.9996,"source of the rate"',
  headings: HEADINGS,
  isFixed: true,
  entryOf: ([date = "", base = "", quote = "", rate = "", source = ""], wrong) => {
    const span = spanIn(date);
    if (span === null) {
      throw wrong(`${describe(date)} is not a date`);
    }
    if (!SOURCE.test(source) || source.trim() === "") {
      throw wrong(`${describe(source)} does not name the source of the rate`);
    }
    return { base, quote, rate, kind: span.from === date ? "day" : "period", ...span, source };
  },
});
