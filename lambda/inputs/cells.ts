import { type Amount, parseAmount, ZERO } from "../core/amount.ts";
import { FillbookError } from "../core/errors.ts";
import { quoteCurrencyOf } from "../core/market.ts";
import { parseTime } from "../core/period.ts";

/** A row of a CSV file of the user. */
export interface Row<Column extends string> {
  readonly cells: Readonly<Record<Column, string>>;
  /** The line in the file, from 1, on which the row begins. */
  readonly line: number;
  /** For messages: `funding.csv, line 3`. */
  readonly where: string;
}

/** No spaces and no invisible characters. */
const WORD = /^[^\s\p{C}]{1,200}$/u;
const CURRENCY = /^[A-Z0-9]{2,12}$/;
/** The longest text of a user, in UTF-16 units. */
export const MAX_TEXT = 2000;
const EXCERPT = 60;

// Each function reads one cell of a row. It throws `usage` with the file, line and column if the cell is not
// of its kind.

export function decimalAt<Column extends string>(row: Row<Column>, column: Column): Amount {
  const amount = parseAmount(row.cells[column]);
  if (amount === null) {
    throw wrong(
      row,
      column,
      "a decimal number",
      "write it like -1234.5, with a decimal point, without thousands separators, and with at most 20 digits before and 18 after the point",
    );
  }
  return amount;
}

/** Above zero. */
export function positiveAt<Column extends string>(row: Row<Column>, column: Column): Amount {
  const amount = decimalAt(row, column);
  if (amount.lte(ZERO)) {
    throw wrong(row, column, "greater than zero", "write the amount without a sign");
  }
  return amount;
}

/** Not below zero: 0 is a price. */
export function priceAt<Column extends string>(row: Row<Column>, column: Column): Amount {
  const price = decimalAt(row, column);
  if (price.lt(ZERO)) {
    throw wrong(row, column, "a price", "write it without a sign");
  }
  return price;
}

/** Not zero. */
export function nonZeroAt<Column extends string>(row: Row<Column>, column: Column): Amount {
  const amount = decimalAt(row, column);
  if (amount.isZero()) {
    throw wrong(
      row,
      column,
      "an amount other than zero",
      "write receipts without a sign and payments with a minus sign, or remove the line",
    );
  }
  return amount;
}

/** ms UTC. A date is the first instant of that day in the pack's zone. */
export function timeAt<Column extends string>(row: Row<Column>, column: Column, zone: string): number {
  try {
    return parseTime(row.cells[column], zone);
  } catch (cause) {
    const hint = `write 2025-01-31T09:30:00Z (or another offset instead of Z), or 2025-01-31 for the start of that day in ${zone}, the time zone of the pack`;
    throw wrong(row, column, "a time", hint, cause);
  }
}

export function marketAt<Column extends string>(row: Row<Column>, column: Column): string {
  const market = row.cells[column];
  if (!WORD.test(market) || quoteCurrencyOf(market) === null) {
    throw wrong(row, column, "the name of a market", "write BASE-QUOTE as the venue does, like BTC-USD");
  }
  return market;
}

export function currencyAt<Column extends string>(row: Row<Column>, column: Column): string {
  const currency = row.cells[column];
  if (!CURRENCY.test(currency)) {
    throw wrong(row, column, "a currency", "write its code in capital letters, like USD or USDT");
  }
  return currency;
}

export function idAt<Column extends string>(row: Row<Column>, column: Column): string {
  const id = row.cells[column];
  if (!WORD.test(id)) {
    throw wrong(row, column, "an id", "copy it from match_id or order_id of fills.csv");
  }
  return id;
}

/** Any text, even an empty one. */
export function textAt<Column extends string>(row: Row<Column>, column: Column): string {
  const text = row.cells[column];
  if (text.length > MAX_TEXT) {
    throw wrong(row, column, `text of at most ${MAX_TEXT} characters`, "shorten it");
  }
  return text;
}

/** A cell for a message: quoted and shortened. */
export function shown(text: string): string {
  return text.length > EXCERPT ? `${JSON.stringify(text.slice(0, EXCERPT).toWellFormed())}…` : JSON.stringify(text);
}

function wrong<Column extends string>(
  { where, cells }: Row<Column>,
  column: Column,
  expected: string,
  hint: string,
  cause?: unknown,
): FillbookError {
  const value = cells[column];
  const is = value === "" ? "is empty" : `is ${shown(value)}, which is not ${expected}`;
  return new FillbookError("usage", `${where}: ${column} ${is}`, { hint, cause });
}
