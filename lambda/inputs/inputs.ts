import type { Method } from "../accounting/method.ts";
import type { Designations } from "../accounting/methods/specific.ts";
import { usageError } from "../core/errors.ts";
import { ADJUSTMENTS_TABLE, type Adjustment, readAdjustments } from "./adjustments.ts";
import { BALANCES_TABLE, readBalances, type StatedBalance } from "./balances.ts";
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
import { FUNDING_TABLE, type FundingPayment, readFunding } from "./funding.ts";
import { MARKS_TABLE, type Mark, readMarks } from "./marks.ts";
import { MATCHES_TABLE, readMatches } from "./matches.ts";
import { OPENINGS_TABLE, type OpeningPosition, readOpeningPositions } from "./opening-positions.ts";
import { readTransfers, TRANSFERS_TABLE, type Transfer } from "./transfers.ts";

/** In the order of the help. */
export const TABLES: readonly { readonly name: string; readonly about: string; readonly columns: object }[] = [
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
  const one = <T>(name: string, read: (file: InputFile, zone: string) => T): T | null => {
    const file = files.find((known) => known.name === name);
    return file === undefined ? null : read(file, zone);
  };
  return {
    location,
    files,
    accounts: one(ACCOUNTS, textOf),
    openings: one(OPENING_POSITIONS, readOpeningPositions) ?? [],
    funding: one(FUNDING, readFunding),
    transfers: one(TRANSFERS, readTransfers),
    balances: one(BALANCES, readBalances) ?? [],
    adjustments: one(ADJUSTMENTS, readAdjustments) ?? [],
    marks: one(MARKS, readMarks),
    designations: one(MATCHES, readMatches),
    rates: files.filter(({ name }) => name.startsWith(RATES)),
  };
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
