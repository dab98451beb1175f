import { join } from "node:path";
import type { Method } from "../accounting/method.ts";
import type { Designation, Designations } from "../accounting/methods/specific.ts";
import { usageError } from "../core/errors.ts";
import { getOrMake } from "../core/get-or-make.ts";
import { compareText, counted } from "../core/text.ts";
import {
  ACCOUNTS,
  ADJUSTMENTS,
  BALANCES,
  FUNDING,
  type InputFile,
  type InputsSource,
  locationOf,
  MARKS,
  MATCHES,
  OPENING_POSITIONS,
  RATES,
  readFiles,
  TRANSFERS,
  textOf,
} from "./files.ts";
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
  if ((method === "specific") !== (designations !== null)) {
    throw method === "specific"
      ? usageError(
          `the method specific needs ${MATCHES}, but there is none in ${location}`,
          "put it there, or choose another method",
        )
      : usageError(
          `${location} holds ${MATCHES}, which the method ${method} does not use`,
          "choose the method specific, or remove the file",
        );
  }
}

/** The text of accounts.json in the place for a group's files. Null: there is none. */
export async function readGroupSettings(source: InputsSource): Promise<string | null> {
  const [file] = await readFiles(source, (name) => name === ACCOUNTS);
  return file === undefined ? null : textOf(file);
}

/**
 * Reads the files that several accounts share: accounts.json, marks.csv and rates/. They lie beside the
 * folders of the accounts. Throws `usage` for a file that belongs to one account, and for a folder of none of
 * them.
 */
export async function readSharedFiles(source: InputsSource, accounts: readonly string[]): Promise<InputFile[]> {
  const isFolderOfAccount = (name: string) => source.kind === "folder" && accounts.includes(name);
  const files = await readFiles(source, (name) => !isFolderOfAccount(name));
  const foreign = files.find(({ name }) => name !== ACCOUNTS && name !== MARKS && !name.startsWith(RATES));
  if (foreign !== undefined) {
    const where = source.kind === "folder" ? join(source.path, accounts[0] ?? "") : `${accounts[0]}/inputs`;
    throw usageError(
      `${locationOf(source)}/${foreign.name} is for one account, but lies among the files for all accounts`,
      `put it into the folder of its account, for example ${where}/`,
    );
  }
  return files;
}

/**
 * The inputs of one account of a group: its own files, and the shared files that it lacks. `hasOwn`: false if
 * its folder does not exist.
 */
export async function readInputsOfAccount(
  { source, hasOwn }: { readonly source: InputsSource; readonly hasOwn: boolean },
  shared: readonly InputFile[],
  zone: string,
): Promise<Inputs> {
  const files = hasOwn ? await readFiles(source) : [];
  const names = new Set(files.map(({ name }) => name));
  const hasOwnRates = files.some(({ name }) => name.startsWith(RATES));
  const added = shared.filter(({ name }) => !(names.has(name) || (hasOwnRates && name.startsWith(RATES))));
  const all = [...files, ...added].sort((a, b) => compareText(a.name, b.name));
  return inputsOf(all, locationOf(source), zone);
}

/** Of one account. */
export interface AccountInputs {
  readonly account: string;
  readonly inputs: Inputs;
}

/** A sentence for each file of which accounts have rows in common, but for zeros: a copied row counts twice. */
export function commonRows(all: readonly AccountInputs[]): string[] {
  const names = [OPENING_POSITIONS, FUNDING, TRANSFERS, BALANCES, ADJUSTMENTS];
  const owners = new Map<string, Set<string>>();
  for (const { account, inputs } of all) {
    const { openings, funding, transfers, balances, adjustments } = inputs;
    for (const [at, rows] of [openings, funding ?? [], transfers ?? [], balances, adjustments].entries()) {
      for (const row of rows.filter((one) => !("amount" in one ? one.amount : one.quantity).isZero())) {
        const key = `${names[at]}\0${JSON.stringify({ ...row, line: 0, where: "" })}`;
        getOrMake(owners, key, () => new Set<string>()).add(account);
      }
    }
  }
  const common = [...owners].filter(([, accounts]) => accounts.size > 1);
  const groups = Map.groupBy(common, ([row, accounts]) => `${row.split("\0")[0]}: ${[...accounts].join(" and ")}`);
  return [...groups].map(
    ([who, own]) => `${who} have ${counted(own.length, "row")} in common, and a row counts for each of them`,
  );
}
