import { isoTime } from "../../core/time.ts";
import { isReceived, type Kind, type Movement } from "./movements.ts";

/**
 * A port: how a tax tool wants the movements. docs/adding.md lists the steps to add a tool.
 */
export interface Tool {
  readonly name: string;
  /** Within imports/. */
  readonly file: string;
  readonly words: Words;
  readonly columns: readonly string[];
  /**
   * A row: its cells in the order of the columns, joined by commas. Rows that differ only in their text are
   * merged. `source`: the account, for columns that name an exchange or a wallet: `fillbook main`.
   */
  readonly line: (movement: Movement, date: string, source: string) => string;
  /** The time in the tool's precision. Anything finer is cut off, never rounded. */
  readonly date: (movement: Movement) => string;
  /** True: every cell is quoted, including the header. */
  readonly quoted?: boolean;
  /** How to import it, and what to know of the tool: sentences. */
  readonly advice: string;
}

/** The tool's word for each kind. */
export type Words = Readonly<Record<Kind, string>>;

/** `2025-03-01 13:00:00` */
export function dashedSeconds({ time }: Movement): string {
  const iso = isoTime(time);
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

/** `01.03.2025 13:00:00` or `03/01/2025 13:00:00`: the parts of a date in another order. */
export function seconds({ time }: Movement, dateOf: (year: string, month: string, day: string) => string): string {
  const iso = isoTime(time);
  return `${dateOf(iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10))} ${iso.slice(11, 19)}`;
}

/**
 * The cells for what is received and for what is sent: amount and currency joined by `pair`, and `none` for
 * the other side.
 */
export function sides(
  { kind, digits, symbol }: Movement,
  pair: (amount: string, currency: string) => string = joined,
  none = ",",
): { readonly received: string; readonly sent: string } {
  const own = pair(digits, symbol);
  return isReceived(kind) ? { received: own, sent: none } : { received: none, sent: own };
}

function joined(amount: string, currency: string): string {
  return `${amount},${currency}`;
}
