import { type Amount, divideHalfEven, formatAmount } from "../../../accounting/amount.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { localTime } from "../../../core/period.ts";
import { DAY_MS } from "../../../core/time.ts";
import type { SheetCell } from "../../../formats/xlsx/xlsx.ts";

/** The content of a cell: text, money, a quantity or a price, a count, an instant (ms UTC). Null: empty. */
export type Value = string | Amount | { readonly quantity: Amount } | number | { readonly ms: number } | null;

/** The significant digits of a number in a spreadsheet. */
const DIGITS = 15;
/** The width of columns with amounts, in characters. */
export const AMOUNT_WIDTH = 15;
/** The characters, separators included, that fit into such a column. */
const ROOM = 14;
/** Digits after the point that are shown: for money, and for quantities, prices and small amounts. */
const PLACES = 2;
const FINE_PLACES = 8;
/** 10^-6: 8 places show hardly anything of a smaller amount. */
const TINY: Amount = 10n ** 30n;
/** 10^-2: 2 places do not show a smaller amount. */
const CENT: Amount = 10n ** 34n;

/**
 * The amount rounded half even to 15 significant digits, for display. All other figures of a pack are exact.
 * `exact`: as `formatAmount` writes it.
 */
export function displayed(amount: Amount, exact: string = formatAmount(amount)): string {
  // The usual case needs no division: so few characters have no more digits.
  if (exact.length <= DIGITS) {
    return exact;
  }
  const digits = (amount < 0n ? -amount : amount).toString().length;
  const step = 10n ** BigInt(Math.max(digits - DIGITS, 0));
  return formatAmount(divideHalfEven(amount, step) * step);
}

export interface CellOptions {
  readonly isTotal?: boolean;
  /** The formula whose value it is. */
  readonly formula?: string | undefined;
}

export function moneyCell(amount: Amount, options: CellOptions = {}): SheetCell {
  const exact = formatAmount(amount);
  const isSmall = amount !== 0n && amount < CENT && -amount < CENT;
  const style = isSmall ? fineOr(amount, exact) : roomFor(exact, PLACES, "money");
  return numberCell(displayed(amount, exact), style, options);
}

export function quantityCell(amount: Amount, options: CellOptions = {}): SheetCell {
  const exact = formatAmount(amount);
  return numberCell(displayed(amount, exact), fineOr(amount, exact), options);
}

export function countCell(count: number | bigint, options: CellOptions = {}): SheetCell {
  return numberCell(String(count), "whole", options);
}

type NumberStyle = "money" | "fine" | "general" | "whole";

function numberCell(number: string, style: NumberStyle, { isTotal = false, formula }: CellOptions): SheetCell {
  return { number, style: isTotal ? `${style}Total` : style, ...(formula === undefined ? {} : { formula }) };
}

function fineOr(amount: Amount, exact: string): NumberStyle {
  const isTiny = amount !== 0n && amount < TINY && -amount < TINY;
  return isTiny ? "general" : roomFor(exact, FINE_PLACES, "fine");
}

/** The style, if the column has room for it. */
function roomFor(exact: string, places: number, style: "money" | "fine"): NumberStyle {
  const point = exact.indexOf(".");
  const whole = point === -1 ? exact.length : point;
  const fraction = point === -1 ? 0 : exact.length - point - 1;
  const shown = whole + Math.floor((whole - 1) / 3) + 1 + Math.max(Math.min(fraction, places), PLACES);
  return shown <= ROOM ? style : "general";
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

/** `wraps`: the text is shown whole, on as many lines as it needs. */
export function cellOf(value: Value, clock: (ms: number) => SheetCell, wraps: boolean): SheetCell {
  if (value === null || value === "") {
    return null;
  }
  switch (typeof value) {
    case "string":
      return { text: value, style: wraps ? "wrapped" : "text" };
    case "bigint":
      return moneyCell(value);
    case "number":
      return countCell(value);
    default:
      return "ms" in value ? clock(value.ms) : quantityCell(value.quantity);
  }
}
