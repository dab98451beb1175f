import { HEADINGS } from "../accounting/rates/generic.ts";
import { FillbookError } from "../core/errors.ts";
import {
  ACCOUNTS,
  ADJUSTMENTS,
  BALANCES,
  FUNDING,
  isInputName,
  MARKS,
  MATCHES,
  OPENING_POSITIONS,
  RATES,
  TRANSFERS,
} from "../inputs/files.ts";
import { OPENINGS_TABLE } from "../inputs/opening-positions.ts";
import { columnsOf } from "../inputs/table.ts";
import {
  ADJUSTMENTS_TABLE,
  BALANCES_TABLE,
  FUNDING_TABLE,
  MARKS_TABLE,
  MATCHES_TABLE,
  TRANSFERS_TABLE,
} from "../inputs/tables.ts";

export interface InputKind {
  /** As a form has it. */
  readonly kind: string;
  /** Null: a file in the folder rates, under a name of its own. */
  readonly name: string | null;
  readonly title: string;
  /** What it is for. */
  readonly about: string;
  /** Of a CSV file, as its reader has them; null: it is no CSV file. */
  readonly columns: readonly string[] | null;
  /** Columns that may be left out. */
  readonly optional?: readonly string[];
  /** A line of such a file, or a whole file that is no CSV: as docs/inputs.md has it. */
  readonly example: string;
}

export const INPUT_KINDS: readonly InputKind[] = [
  {
    kind: "opening-positions",
    name: OPENING_POSITIONS,
    title: "Opening positions",
    about: "Positions that were open before the first fill in the archive, and their cost.",
    columns: columnsOf(OPENINGS_TABLE.columns, "required"),
    optional: columnsOf(OPENINGS_TABLE.columns, "optional"),
    example: 'BTC-USD,0.5,64250,2025-01-01,"statement of December 2024, page 2"',
  },
  {
    kind: "funding",
    name: FUNDING,
    title: "Funding payments",
    about: "Funding paid and received. The venue's fill data does not include it.",
    columns: columnsOf(FUNDING_TABLE.columns, "required"),
    example: "2025-03-01T08:00:00Z,BTC-USD,-1.25,USD,funding history of the venue",
  },
  {
    kind: "transfers",
    name: TRANSFERS,
    title: "Transfers",
    about: "Deposits and withdrawals of cash.",
    columns: columnsOf(TRANSFERS_TABLE.columns, "required"),
    example: "2025-01-02T10:00:00Z,USD,50000,from the bank",
  },
  {
    kind: "balances",
    name: BALANCES,
    title: "Balances",
    about: "Cash balances according to the venue's statements. Packs compare the calculated cash with them.",
    columns: columnsOf(BALANCES_TABLE.columns, "required"),
    example: "2025-01-01,USD,0,account opened",
  },
  {
    kind: "adjustments",
    name: ADJUSTMENTS,
    title: "Trades without a fill",
    about: "Trades that the venue made without a fill, such as a settlement at delisting or a renaming.",
    columns: columnsOf(ADJUSTMENTS_TABLE.columns, "required"),
    example: 'INS-USD,2025-06-01,sell,1000,0,0,"delisted, settled at 0"',
  },
  {
    kind: "marks",
    name: MARKS,
    title: "Market prices",
    about: "Prices to value open positions on the last day of a period.",
    columns: columnsOf(MARKS_TABLE.columns, "required"),
    example: "ETH-USD,2026-01-01,1750.25",
  },
  {
    kind: "matches",
    name: MATCHES,
    title: "Specific identification",
    about:
      "The lots that each closing fill closes. With this file, only the method Specific identification can be used.",
    columns: columnsOf(MATCHES_TABLE.columns, "required"),
    example:
      "04f73d8d-a610-4806-afde-ad57b33ec4aa,01JGQ2Z5MPWK7MAB91SS144MFY,629363a4-b63e-46b2-a311-a6b72b128efc,01JGM689S2XRAR785QQ714HYPQ,0.35",
  },
  {
    kind: "rates",
    name: null,
    title: "Exchange rates",
    about: "A file as published by a central bank or HMRC, or one of your own, for packs in another currency.",
    columns: HEADINGS,
    example: "2025,USD,EUR,0.886,average of the year by our bank",
  },
  {
    kind: "accounts",
    name: ACCOUNTS,
    title: "Accounts of your books",
    about: "Names for the statement, and account names for your bookkeeping program.",
    columns: null,
    example:
      '"statement": {"client": "A. Trader", "preparer": "Books & Co", "reference": "2025/17", "venue": "The Venue"}',
  },
];

/** A small file of this kind. */
export function exampleOf({ columns, example }: InputKind): string {
  return columns === null ? `{${example}}` : `${columns.join(",")}\n${example}`;
}

/** Null: a pack takes no file of this name. */
export function kindOf(name: string): InputKind | null {
  const isRates = name.startsWith(RATES);
  return isInputName(name) ? (INPUT_KINDS.find((one) => one.name === (isRates ? null : name)) ?? null) : null;
}

export type UploadField = "file" | "kind" | "zone";

/** What is wrong with one field of the form. Always `usage`. */
export class UploadError extends FillbookError {
  readonly field: UploadField;

  constructor(field: UploadField, { message, hint, cause }: FillbookError) {
    super("usage", message, { ...(hint === undefined ? {} : { hint }), cause });
    this.field = field;
  }
}

/**
 * The name under `inputs/` of a file that a user puts up. `kind`: what they say that it is; empty: its own
 * name says it. Throws an UploadError for what is none of the files that a pack takes.
 */
export function inputNameOf(kind: string, fileName: string): string {
  if (kind === "") {
    if (isInputName(fileName)) {
      return fileName;
    }
    throw refused("kind", "the file name does not show which kind of file this is", "choose what this file is");
  }
  const found = INPUT_KINDS.find((one) => one.kind === kind);
  if (found === undefined) {
    throw refused("kind", "there is no such kind of file", "choose what this file is");
  }
  const name = found.name ?? `${RATES}${fileName}`;
  if (!isInputName(name)) {
    const hint = "rename it, for example to ecb.csv: letters, digits and =._- without blanks, and .csv at the end";
    throw refused("file", "a file of rates keeps its name, and this name cannot be used", hint);
  }
  return name;
}

function refused(field: UploadField, message: string, hint: string): UploadError {
  return new UploadError(field, new FillbookError("usage", message, { hint }));
}
