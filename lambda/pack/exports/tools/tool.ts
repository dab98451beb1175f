import { isoTime } from "../../../core/time.ts";
import { isReceived, type Kind, type Movement } from "../movements.ts";

/** How a tax tool wants the movements. */
export interface Tool {
  readonly name: string;
  /** Within imports/. */
  readonly file: string;
  /** Its word for each kind. */
  readonly words: Readonly<Record<Kind, string>>;
  /** In order: the name of each, and what it holds. Nothing: it stays empty. */
  readonly columns: readonly (readonly [head: string, of?: TextOf<ToolRow> | ((row: ToolRow) => string)])[];
  /** The widths of the columns. Given: the tool asks for a spreadsheet. */
  readonly sheetWidths?: readonly number[];
  /** True: every cell is quoted, including the header. */
  readonly quoted?: boolean;
  /** How to import it, and what to know of the tool: sentences. */
  readonly advice: string;
}

/** A movement in a tool's words. Rows that differ only in their text are merged. */
export interface ToolRow extends Movement {
  /** The time: in whole seconds, cut off and never rounded, in three forms; and to the millisecond. */
  readonly dashed: string;
  readonly dotted: string;
  readonly slashed: string;
  readonly iso: string;
  readonly ms: string;
  readonly word: string;
  /** The amount with every digit, and at least two places. */
  readonly digits: string;
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
export function cellsOf({ words, columns }: Tool, movement: Movement): string[] {
  const { kind, time, symbol, account } = movement;
  const [whole, fraction = ""] = String(movement.amount).split(".");
  const digits = `${whole}.${fraction.padEnd(2, "0")}`;
  const iso = isoTime(time);
  const [date, clock] = [iso.slice(0, 10), iso.slice(11, 19)];
  const [year, month, day] = date.split("-");
  const [received, sent] = isReceived(kind) ? [digits, ""] : ["", digits];
  const row: ToolRow = {
    ...movement,
    dashed: `${date} ${clock}`,
    dotted: `${day}.${month}.${year} ${clock}`,
    slashed: `${month}/${day}/${year} ${clock}`,
    iso,
    ms: String(time),
    word: words[kind],
    digits,
    source: `fillbook ${account}`,
    received,
    receivedIn: received && symbol,
    sent,
    sentIn: sent && symbol,
  };
  return columns.map(([, of = () => ""]) => (typeof of === "string" ? row[of] : of(row)));
}
