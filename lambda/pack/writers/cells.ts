import { type Amount, roundedTo, tenTo } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { localTime } from "../../core/period.ts";
import { DAY_MS } from "../../core/time.ts";
import type { SheetCell } from "../../formats/xlsx/xlsx.ts";

/** The significant digits of a number in a spreadsheet. */
const DIGITS = 15;
/** The width of columns with amounts, in characters. */
export const AMOUNT_WIDTH = 15;
/** The characters, separators included, that fit into such a column. */
const ROOM = 14;
/** Digits after the point that are shown: for money, and for quantities, prices and small amounts. */
const PLACES = 2;
const FINE_PLACES = 8;
/** 8 places show hardly anything of a smaller amount. */
const TINY = tenTo(-6);
/** 2 places do not show a smaller amount. */
const CENT = tenTo(-2);

/**
 * The amount rounded half even to 15 significant digits, for display. All other figures of a pack are exact.
 */
export function displayed(amount: Amount): string {
  return String(roundedTo(amount, DIGITS));
}

export interface CellOptions {
  readonly isTotal?: boolean;
  /** The formula whose value it is. */
  readonly formula?: string | undefined;
}

export function moneyCell(amount: Amount, options: CellOptions = {}): SheetCell {
  const exact = String(amount);
  const isSmall = !amount.isZero() && amount.abs().lt(CENT);
  const style = isSmall ? fineOr(amount, exact) : roomFor(exact, PLACES, "money");
  return numberCell(displayed(amount), style, options);
}

export function quantityCell(amount: Amount, options: CellOptions = {}): SheetCell {
  const exact = String(amount);
  return numberCell(displayed(amount), fineOr(amount, exact), options);
}

export function countCell(count: number | string | Amount, options: CellOptions = {}): SheetCell {
  return numberCell(String(count), "whole", options);
}

type NumberStyle = "money" | "fine" | "general" | "whole";

function numberCell(number: string, style: NumberStyle, { isTotal = false, formula }: CellOptions): SheetCell {
  return { number, style: isTotal ? `${style}Total` : style, ...(formula === undefined ? {} : { formula }) };
}

function fineOr(amount: Amount, exact: string): NumberStyle {
  const isTiny = !amount.isZero() && amount.abs().lt(TINY);
  return isTiny ? "general" : roomFor(exact, FINE_PLACES, "fine");
}

/** The style, if the column has room for it. */
function roomFor(exact: string, places: number, style: "money" | "fine"): NumberStyle {
  const point = exact.indexOf(".");
  const digits = point === -1 ? exact.length : point;
  const fraction = point === -1 ? 0 : exact.length - point - 1;
  const shown = digits + Math.floor((digits - 1) / 3) + 1 + Math.max(Math.min(fraction, places), PLACES);
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
