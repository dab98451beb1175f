import { type Amount, divideHalfEven, formatAmount } from "../../accounting/amount.ts";
import type { Cell } from "../../formats/xlsx/xlsx.ts";
import { localTime } from "../../model/period.ts";
import { DAY_MS } from "../../model/time.ts";

/** What a cell shows: text, an amount, a count, an instant (ms UTC); null: nothing. Quantities and prices are amounts too. */
export type Value = string | Amount | number | { readonly ms: number } | null;

/** Significant digits that a spreadsheet keeps of a number. */
const DIGITS = 15;
/** Digits after the point, and characters with separators, up to which an amount is shown whole. */
const PLACES = 8;
const CHARACTERS = 14;
/** Of the columns that hold amounts, in characters. */
export const AMOUNT_WIDTH = 15;

/** The amount to 15 significant digits, half even: for display. All other figures of a pack are exact. */
export function displayed(amount: Amount): string {
  const digits = (amount < 0n ? -amount : amount).toString().length;
  const step = 10n ** BigInt(Math.max(digits - DIGITS, 0));
  return formatAmount(divideHalfEven(amount, step) * step);
}

/** `formula`: whose value it is. */
export function amountCell(amount: Amount, { isTotal = false, formula }: CellOptions = {}): Cell {
  const number = displayed(amount);
  const [whole = "", fraction = ""] = number.replace("-", "").split(".");
  const shown = number.length + Math.floor((whole.length - 1) / 3) + Math.max(2 - fraction.length, 0);
  const look = fraction.length <= PLACES && shown <= CHARACTERS ? "amount" : "general";
  return { number, style: isTotal ? `${look}Total` : look, ...(formula === undefined ? {} : { formula }) };
}

export interface CellOptions {
  readonly isTotal?: boolean;
  readonly formula?: string | undefined;
}

export function countCell(count: number | bigint, { isTotal = false, formula }: CellOptions = {}): Cell {
  return {
    number: String(count),
    style: isTotal ? "wholeTotal" : "whole",
    ...(formula === undefined ? {} : { formula }),
  };
}

/** Every offset from UTC that is in use today is a multiple of it. */
const QUARTER_MS = 900_000;
/** Days from the first of a spreadsheet's to 1970. */
const EPOCH_DAY = 25_569;

/** Cells that show instants as a zone's clocks do. It remembers the last offset: instants come roughly in order. */
export function clockOf(zone: string): (ms: number) => Cell {
  let quarter = Number.NaN;
  let offset = 0;
  return (ms) => {
    const own = Math.floor(ms / QUARTER_MS);
    if (own !== quarter) {
      quarter = own;
      offset = Date.parse(`${localTime(ms, zone).slice(0, 23)}Z`) - ms;
    }
    return { number: String((ms + offset) / DAY_MS + EPOCH_DAY), style: "time" };
  };
}

export function cellOf(value: Value, clock: (ms: number) => Cell): Cell {
  switch (typeof value) {
    case "string":
      return value === "" ? null : { text: value, style: "text" };
    case "bigint":
      return amountCell(value);
    case "number":
      return countCell(value);
    default:
      return value === null ? null : clock(value.ms);
  }
}
