import type { Method } from "../accounting/method.ts";
import type { Designation, Designations } from "../accounting/methods/specific.ts";
import { usageError } from "../core/errors.ts";
import { ACCOUNTS, type InputFile, type InputsSource, locationOf, MATCHES, RATES, readFiles, textOf } from "./files.ts";
import { OPENINGS_TABLE, type OpeningPosition, openingsOf } from "./opening-positions.ts";
import { type InputTable, type Row, rowsOf } from "./table.ts";
import {
  ADJUSTMENTS_TABLE,
  type Adjustment,
  BALANCES_TABLE,
  FUNDING_TABLE,
  type FundingPayment,
  MARKS_TABLE,
  MATCHES_TABLE,
  type Mark,
  type StatedBalance,
  TRANSFERS_TABLE,
  type Transfer,
} from "./tables.ts";

/** In the order of the help. */
export const TABLES: readonly Pick<InputTable, "name" | "about" | "columns">[] = [
  OPENINGS_TABLE,
  FUNDING_TABLE,
  TRANSFERS_TABLE,
  BALANCES_TABLE,
  ADJUSTMENTS_TABLE,
  MARKS_TABLE,
  MATCHES_TABLE,
];

/** What the user gives for a pack besides the archive. */
export interface Inputs {
  /** The place: a folder's path, or `s3://bucket/prefix/main/inputs`. */
  readonly location: string;
  /** All files, sorted by name. They are copied into the pack. */
  readonly files: readonly InputFile[];
  /** The text of accounts.json, which lambda/pack reads. */
  readonly accounts: string | null;
  // Lines are by time, those of opening-positions.csv in their order. Null or empty: there is no such file.
  readonly openings: readonly OpeningPosition[];
  readonly funding: readonly FundingPayment[] | null;
  readonly transfers: readonly Transfer[] | null;
  readonly balances: readonly StatedBalance[];
  readonly adjustments: readonly Adjustment[];
  readonly marks: readonly Mark[] | null;
  readonly designations: Designations | null;
  /** rates/*.csv, sorted by name; unread. */
  readonly rates: readonly InputFile[];
}

/**
 * Reads the user's files from a folder or from the store. Dates are days of the pack's zone. Throws `usage`
 * with file and line for anything that cannot be understood: nothing is skipped.
 */
export async function readInputs(source: InputsSource, zone: string): Promise<Inputs> {
  return inputsOf(await readFiles(source), locationOf(source), zone);
}

/** The same from files already read, sorted by name. */
export function inputsOf(files: readonly InputFile[], location: string, zone: string): Inputs {
  const fileOf = (name: string) => files.find((known) => known.name === name);
  const rows = <C extends InputTable["columns"]>(table: InputTable<C>): Row<C>[] | null => {
    const file = fileOf(table.name);
    return file === undefined ? null : rowsOf(table, file, zone);
  };
  const accounts = fileOf(ACCOUNTS);
  return {
    location,
    files,
    accounts: accounts === undefined ? null : textOf(accounts),
    openings: openingsOf(rows(OPENINGS_TABLE) ?? [], zone),
    funding: rows(FUNDING_TABLE),
    transfers: rows(TRANSFERS_TABLE),
    balances: rows(BALANCES_TABLE) ?? [],
    adjustments: rows(ADJUSTMENTS_TABLE) ?? [],
    marks: rows(MARKS_TABLE),
    designations: designationsOf(rows(MATCHES_TABLE)),
    rates: files.filter(({ name }) => name.startsWith(RATES)),
  };
}

/** The lines of each close, in the order of the file. */
function designationsOf(rows: readonly Row<typeof MATCHES_TABLE.columns>[] | null): Designations | null {
  const lines = rows?.map((row): [close: string, Designation] => {
    const { close_match_id, close_order_id, open_match_id: openMatchId, open_order_id: openOrderId, ...line } = row;
    return [`${close_match_id}\0${close_order_id}`, { openMatchId, openOrderId, ...line }];
  });
  const byClose = Map.groupBy(lines ?? [], ([close]) => close);
  return rows && new Map([...byClose].map(([close, own]) => [close, own.map(([, line]) => line)]));
}

/** Throws `usage` if the method needs a file that is missing, or would ignore a file that is there. */
export function checkMethod(
  { location, designations }: Pick<Inputs, "location" | "designations">,
  method: Method,
): void {
  if (method === "specific" && designations === null) {
    throw usageError(
      `the method specific needs ${MATCHES}, but there is none in ${location}`,
      "put it there; fillbook export --help lists its columns",
    );
  }
  if (method !== "specific" && designations !== null) {
    throw usageError(
      `${location} holds ${MATCHES}, which the method ${method} does not use`,
      "choose --method specific, or remove the file",
    );
  }
}
