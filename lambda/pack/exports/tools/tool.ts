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
export type ToolRow = ReturnType<typeof rowOf>;

type TextOf<Row> = { [Key in keyof Row]: Row[Key] extends string ? Key : never }[keyof Row];

function rowOf({ words }: Tool, movement: Movement) {
  const { kind, time, symbol, account } = movement;
  const [whole, fraction = ""] = String(movement.amount).split(".");
  const digits = `${whole}.${fraction.padEnd(2, "0")}`;
  const iso = isoTime(time);
  const [date, clock] = [iso.slice(0, 10), iso.slice(11, 19)];
  const [year, month, day] = date.split("-");
  const [received, sent] = isReceived(kind) ? [digits, ""] : ["", digits];
  return {
    ...movement,
    // The time: in whole seconds, cut off and never rounded, in three forms; and to the millisecond.
    dashed: `${date} ${clock}`,
    dotted: `${day}.${month}.${year} ${clock}`,
    slashed: `${month}/${day}/${year} ${clock}`,
    iso,
    ms: String(time),
    word: words[kind],
    /** The amount with every digit, and at least two places. */
    digits,
    /** The account, for columns that name an exchange or a wallet. */
    source: `fillbook ${account}`,
    // The amount and its currency, on the side where cash is received or sent. The other side is empty.
    ...{ received, receivedIn: received && symbol, sent, sentIn: sent && symbol },
  };
}

/** The cells of a movement. */
export function cellsOf(tool: Tool, movement: Movement): string[] {
  const row = rowOf(tool, movement);
  return tool.columns.map(([, of = () => ""]) => (typeof of === "string" ? row[of] : of(row)));
}
