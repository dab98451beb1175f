import { type Amount, parseAmount, ZERO } from "../core/amount.ts";
import { quoteCurrencyOf } from "../core/currency.ts";
import { parseTime } from "../core/period.ts";
import { withoutEscapes } from "../formats/csv.ts";

/** A cell of a file of the user. */
export interface Cell {
  readonly text: string;
  /** Of the pack. A date is a day in it. */
  readonly zone: string;
  /** Throws `usage` with the file, line and column: the cell is not what is expected. */
  readonly wrong: (expected: string, hint: string, cause?: unknown) => never;
}

/** Reads the cells of a column. Throws `usage` if one is not of its kind. */
export interface Read<T> {
  (cell: Cell): T;
  /** The column may be left out. */
  readonly isOptional?: true;
}

/** No spaces and no invisible characters. */
const WORD = /^[^\s\p{C}]{1,200}$/u;
const CURRENCY = /^[A-Z0-9]{2,12}$/;
/** The longest text of a user, in UTF-16 units. */
export const MAX_TEXT = 2000;

export const decimal: Read<Amount> = ({ text: number, wrong }) =>
  parseAmount(number) ??
  wrong(
    "a decimal number",
    "write it like -1234.5, with a decimal point, without thousands separators, and with at most 20 digits before and 18 after the point",
  );

export const positive = such((amount) => amount.gt(ZERO), "greater than zero", "write the amount without a sign");

/** Not below zero: 0 is a price. */
export const price = such((amount) => amount.gte(ZERO), "a price", "write it without a sign");

export const nonZero = such(
  (amount) => !amount.isZero(),
  "an amount other than zero",
  "write receipts without a sign and payments with a minus sign, or remove the line",
);

function such(isFit: (amount: Amount) => boolean, expected: string, hint: string): Read<Amount> {
  return (cell) => {
    const amount = decimal(cell);
    return isFit(amount) ? amount : cell.wrong(expected, hint);
  };
}

const DAY_ELSEWHERE = /^(\d{4}-\d{2}-\d{2}) ([A-Za-z][A-Za-z0-9_+/-]*|[+-]\d{2}:\d{2})$/;

/** ms UTC. A date is the first instant of that day: in the zone after it, or else in the pack's. */
export const time: Read<number> = ({ text: written, zone, wrong }) => {
  const [, day = written, place = zone] = DAY_ELSEWHERE.exec(written) ?? [];
  try {
    return parseTime(day, place);
  } catch (cause) {
    const hint = `write 2025-01-31T09:30:00Z (or another offset instead of Z); or 2025-01-31 for the start of that day in ${zone}, the time zone of the pack; or 2025-01-31 Europe/London for its start elsewhere`;
    return wrong("a time", hint, cause);
  }
};

export const market: Read<string> = ({ text: name, wrong }) =>
  WORD.test(name) && quoteCurrencyOf(name) !== null
    ? name
    : wrong("the name of a market", "write BASE-QUOTE as the venue does, like BTC-USD");

export const side: Read<"buy" | "sell"> = ({ text: word, wrong }) =>
  word === "buy" || word === "sell" ? word : wrong("a side", "write buy or sell");

export const currency: Read<string> = ({ text: code, wrong }) =>
  CURRENCY.test(code) ? code : wrong("a currency", "write its code in capital letters, like USD or USDT");

/** As it is, or as fills.csv escapes it. */
export const id: Read<string> = ({ text: own, wrong }) =>
  WORD.test(own) ? withoutEscapes(own) : wrong("an id", "copy it from match_id or order_id of fills.csv");

/** Any text, even an empty one. */
export const text: Read<string> = ({ text: all, wrong }) =>
  all.length <= MAX_TEXT ? all : wrong(`text of at most ${MAX_TEXT} characters`, "shorten it");

/** An empty cell is null. */
export function blankOr<T>(read: Read<T>): Read<T | null> {
  return (cell) => (cell.text === "" ? null : read(cell));
}

/** The same, and the column may be left out. */
export function optional<T>(read: Read<T>): Read<T | null> {
  return Object.assign(blankOr(read), { isOptional: true } as const);
}
