import { describe } from "../../formats/json.ts";
import { isoDay, isoMonth, isoYear, type Span } from "./dates.ts";
import type { Entry, RateFormat } from "./rate-file.ts";
import { checkWidth, type Sheet, wrongLine } from "./sheet.ts";

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

export const HEADINGS = ["date", "base", "quote", "rate", "source"];
const CURRENCY = /^[A-Z0-9]{2,12}$/;
const SOURCE = /^[^\p{Cc}]{1,200}$/u;
const HINT = 'write it like this: 2025-03-01,USDT,USD,0.9996,"source of the rate"';

export const GENERIC: RateFormat = {
  label: "the user's own rates",
  isEnded: false,
  hint: HINT,
  recognises: ([header]) => header?.cells.map((cell) => cell.trim().toLowerCase()).join() === HEADINGS.join(),
  read,
};

function* read({ name, rows }: Sheet): Iterable<Entry> {
  for (const row of rows.slice(1)) {
    checkWidth(name, row, HEADINGS.length, HINT);
    const { line, cells } = row;
    const [date = "", base = "", quote = "", rate = "", source = ""] = cells;
    const span = spanOf(date);
    if (span === null) {
      throw wrongLine(name, line, `${describe(date)} is not a date`, HINT);
    }
    if (!(CURRENCY.test(base) && CURRENCY.test(quote)) || base === quote) {
      throw wrongLine(name, line, `${describe(base)} and ${describe(quote)} are not two currencies`, HINT);
    }
    if (!SOURCE.test(source) || source.trim() === "") {
      throw wrongLine(name, line, `${describe(source)} does not name the source of the rate`, HINT);
    }
    yield { series: `${base}/${quote}`, base, quote, ...span, rate, line, source };
  }
}

function spanOf(date: string): (Span & Pick<Entry, "kind">) | null {
  const day = isoDay(date);
  if (day !== null) {
    return { kind: "day", from: day, to: day };
  }
  const period = isoMonth(date) ?? isoYear(date);
  return period === null ? null : { kind: "period", ...period };
}
