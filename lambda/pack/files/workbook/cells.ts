import { type Amount, divideHalfEven, formatAmount } from "../../../accounting/amount.ts";
import { localTime } from "../../../core/period.ts";
import { DAY_MS } from "../../../core/time.ts";
import type { SheetCell } from "../../../formats/xlsx/xlsx.ts";

/** What a cell shows: text, money, a quantity or a price, a count, an instant (ms UTC); null: nothing. */
export type Value = string | Amount | { readonly quantity: Amount } | number | { readonly ms: number } | null;

/** Significant digits that a spreadsheet keeps of a number. */
const DIGITS = 15;
/** Of the columns that hold amounts, in characters. */
export const AMOUNT_WIDTH = 15;
/** Characters with separators that such a column has room for. */
const ROOM = 14;
/** Digits after the point that are shown: of money, and of quantities, prices and small amounts. */
const PLACES = 2;
const FINE_PLACES = 8;
/** What 8 places would show hardly anything of: 10^-6. */
const TINY: Amount = 10n ** 30n;
/** What 2 places do not show: 10^-2. */
const CENT: Amount = 10n ** 34n;

/** The amount to 15 significant digits, half even: for display. All other figures of a pack are exact. `exact`: as `formatAmount` writes it. */
export function displayed(amount: Amount, exact: string = formatAmount(amount)): string {
  // The usual case without a division: so many characters have no more digits.
  if (exact.length <= DIGITS) {
    return exact;
  }
  const digits = (amount < 0n ? -amount : amount).toString().length;
  const step = 10n ** BigInt(Math.max(digits - DIGITS, 0));
  return formatAmount(divideHalfEven(amount, step) * step);
}

export interface CellOptions {
  readonly isTotal?: boolean;
  /** Whose value it is. */
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

/** The style if the column has room for it. */
function roomFor(exact: string, places: number, style: "money" | "fine"): NumberStyle {
  const point = exact.indexOf(".");
  const whole = point === -1 ? exact.length : point;
  const fraction = point === -1 ? 0 : exact.length - point - 1;
  const shown = whole + Math.floor((whole - 1) / 3) + 1 + Math.max(Math.min(fraction, places), PLACES);
  return shown <= ROOM ? style : "general";
}

/** Every offset from UTC that is in use today is a multiple of it. */
const QUARTER_MS = 900_000;
/** Days from the first of a spreadsheet's to 1970. */
const EPOCH_DAY = 25_569;

/** Cells that show instants as a zone's clocks do. It remembers the last offset: instants come roughly in order. */
export function clockOf(zone: string): (ms: number) => SheetCell {
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

/** `wraps`: text that is to be read whole, on as many lines as it needs. */
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
