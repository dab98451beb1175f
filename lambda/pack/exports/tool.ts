import { isoTime } from "../../core/time.ts";
import { isReceived, type Kind, type Movement } from "./movements.ts";

/**
 * A port: how a tax tool wants the movements. docs/adding.md lists the steps to add a tool.
 */
export interface Tool {
  readonly name: string;
  /** Within imports/. */
  readonly file: string;
  /** Its word for each kind. */
  readonly words: Readonly<Record<Kind, string>>;
  /** In order: the name of each, and what it holds. Nothing: it stays empty. */
  readonly columns: readonly (readonly [head: string, of?: TextOf<ToolRow> | ((row: ToolRow) => string)])[];
  /** The time in the tool's precision. Anything finer is cut off, never rounded. */
  readonly date: (movement: Movement) => string;
  /** True: every cell is quoted, including the header. */
  readonly quoted?: boolean;
  /** How to import it, and what to know of the tool: sentences. */
  readonly advice: string;
}

/** A movement in a tool's words. Rows that differ only in their text are merged. */
export interface ToolRow extends Movement {
  readonly date: string;
  readonly word: string;
  /** The account, for columns that name an exchange or a wallet: `fillbook main`. */
  readonly source: string;
  /** The amount and its currency, on the side where cash is received or sent. The other side is empty. */
  readonly received: string;
  readonly receivedIn: string;
  readonly sent: string;
  readonly sentIn: string;
}

type TextOf<Row> = { [Key in keyof Row]: Row[Key] extends string ? Key : never }[keyof Row];

/** The cells of a movement. */
export function cellsOf({ words, columns, date }: Tool, movement: Movement): string[] {
  const { kind, digits, symbol, account } = movement;
  const [received, sent] = isReceived(kind) ? [digits, ""] : ["", digits];
  const row: ToolRow = {
    ...movement,
    ...{ date: date(movement), word: words[kind], source: `fillbook ${account}`, received, sent },
    ...{ receivedIn: received && symbol, sentIn: sent && symbol },
  };
  return columns.map(([, of = () => ""]) => (typeof of === "string" ? row[of] : of(row)));
}

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
