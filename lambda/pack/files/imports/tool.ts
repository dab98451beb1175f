import { isReceived, type Kind, type Movement } from "./cash.ts";

/** How a tax tool wants the movements: a port, one file a tool. To add one: its file, its line in imports.ts, and its reader in the tests. */
export interface Tool {
  readonly name: string;
  /** Within imports/. */
  readonly file: string;
  readonly words: Words;
  readonly columns: readonly string[];
  /**
   * A row: its cells in the order of the columns, with commas between them. Rows that say the same, but for the text, are merged.
   * `source`: the account, for the columns that name an exchange or a wallet: `fillbook main`.
   */
  readonly line: (movement: Movement, date: string, source: string) => string;
  /** The time as the tool keeps it: what is finer than `unitMs` is cut, never rounded. */
  readonly date: (movement: Movement) => string;
  readonly unitMs: 1 | 1000;
  /** What of rows of one date it may look at to tell them apart, where that is less than they say. */
  readonly likeness?: (movement: Movement) => string;
  /** Every cell stands in quotes, those of the header too. */
  readonly quoted?: boolean;
  /** For README.txt: what becomes of rebates, and whether they lessen the fees there. */
  readonly rebates: string;
  /** For README.txt: how to import it. */
  readonly advice: readonly string[];
  /** For README.txt: what the format is known from. */
  readonly status: string;
}

/** The tool's word for each kind. */
export type Words = Readonly<Record<Kind, string>>;

/** `2025-03-01 13:00:00` */
export function dashedSeconds({ iso }: Movement): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

/** `01.03.2025 13:00:00` or `03/01/2025 13:00:00`: parts of a date in another order. */
export function seconds({ iso }: Movement, dateOf: (year: string, month: string, day: string) => string): string {
  return `${dateOf(iso.slice(0, 4), iso.slice(5, 7), iso.slice(8, 10))} ${iso.slice(11, 19)}`;
}

/** The cells of what is received, and those of what is sent: amount and currency as `pair` joins them, and `none` for the other. */
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
