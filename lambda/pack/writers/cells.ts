import { type Amount, rounded, roundedTo } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { localTime } from "../../core/period.ts";
import { grouped } from "../../core/text.ts";
import { DAY_MS } from "../../core/time.ts";
import type { SheetCell } from "../../formats/xlsx/xlsx.ts";

/** The significant digits of a number in a spreadsheet, and of one that it shows with an exponent. */
const DIGITS = 15;
const FEW_DIGITS = 6;
/** The width of columns with amounts, in characters. */
export const AMOUNT_WIDTH = 18;
/** The characters, separators included, that fit into such a column. */
const ROOM = 17;
/** Digits after the point: at most, and at least. */
const PLACES = 8;
const LEAST_PLACES = 2;
/** Below 10^-6: 8 places show hardly anything of such an amount. */
const TINY = /^-?0\.0{6}/;

/**
 * An amount rounded half even, once, to what the cell shows: who adds up a column that is read has the sum of the
 * column that is stored. All other figures of a pack are exact.
 */
export function amountCell(amount: Amount, isTotal = false): SheetCell {
  const text = String(amount);
  if (TINY.test(text)) {
    return numberCell(String(roundedTo(amount, FEW_DIGITS)), "general", isTotal);
  }
  const [whole = "", fraction = ""] = text.split(".");
  const places = Math.min(ROOM - grouped(whole).length - 1, PLACES);
  if (places < LEAST_PLACES) {
    return numberCell(String(roundedTo(amount, DIGITS)), "general", isTotal);
  }
  return numberCell(fraction.length <= places ? text : String(rounded(amount, places)), "amount", isTotal);
}

export function countCell(count: number | string | Amount, isTotal = false): SheetCell {
  return numberCell(String(count), "whole", isTotal);
}

type NumberStyle = "amount" | "general" | "whole";

function numberCell(number: string, style: NumberStyle, isTotal: boolean): SheetCell {
  return { number, style: isTotal ? `${style}Total` : style };
}

/** Every offset from UTC in use today is a multiple of it. */
const QUARTER_MS = 900_000;
/** Days from a spreadsheet's first day to 1970. */
const EPOCH_DAY = 25_569;

/**
 * Makes cells that show instants on a zone's clocks. It remembers the offset of each quarter hour, because a
 * trade is opened in one and closed in another.
 */
export function clockOf(zone: string): (ms: number) => SheetCell {
  const offsets = new Map<number, number>();
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER_MS);
    const offset = getOrMake(offsets, quarter, () => Date.parse(`${localTime(ms, zone).slice(0, 23)}Z`) - ms);
    return { number: String((ms + offset) / DAY_MS + EPOCH_DAY), style: "time" };
  };
}
