import { HEADINGS } from "../accounting/rates/generic.ts";
import { ACCOUNTS, isInputName, RATES } from "../inputs/files.ts";
import { TABLES } from "../inputs/inputs.ts";
import { columnsOf } from "../inputs/table.ts";
import { FieldError } from "./field-error.ts";

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
  readonly optional: readonly string[];
  /** A line of such a file, or a whole file that is no CSV: as docs/inputs.md has it. */
  readonly example: string;
}

/** By the name of the file without its ending. */
const EXAMPLES: Readonly<Record<string, string>> = {
  "opening-positions": 'BTC-USD,0.5,64250,2025-01-01,"statement of December 2024, page 2"',
  funding: "2025-03-01T08:00:00Z,BTC-USD,-1.25,USD,funding history of the venue",
  transfers: "2025-01-02T10:00:00Z,USD,50000,from the bank",
  balances: "2025-01-01,USD,0,account opened",
  adjustments: 'INS-USD,2025-06-01,sell,1000,0,0,"delisted, settled at 0"',
  marks: "ETH-USD,2026-01-01,1750.25",
  matches:
    "04f73d8d-a610-4806-afde-ad57b33ec4aa,01JGQ2Z5MPWK7MAB91SS144MFY,629363a4-b63e-46b2-a311-a6b72b128efc,01JGM689S2XRAR785QQ714HYPQ,0.35",
  rates: "2025,USD,EUR,0.886,average of the year by our bank",
  accounts:
    '"statement": {"client": "A. Trader", "preparer": "Books & Co", "reference": "2025/17", "venue": "The Venue"}',
};

export const INPUT_KINDS: readonly InputKind[] = [
  ...TABLES.map(({ name, about, columns }) =>
    kindNamed(name.replace(/\.csv$/, ""), {
      name,
      about,
      columns: columnsOf(columns, "required"),
      optional: columnsOf(columns, "optional"),
    }),
  ),
  kindNamed("rates", {
    name: null,
    about: "exchange rates for packs in another currency: a file as published by a central bank or HMRC, or your own",
    columns: HEADINGS,
    optional: [],
  }),
  kindNamed("accounts", {
    name: ACCOUNTS,
    about: "names for the statement, and account names for your bookkeeping program",
    columns: null,
    optional: [],
  }),
];

function kindNamed(kind: string, known: Omit<InputKind, "kind" | "title" | "example">): InputKind {
  const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1).replace("-", " ")}`;
  return { kind, title, ...known, example: EXAMPLES[kind] ?? "" };
}

/** A small file of this kind. */
export function exampleOf({ columns, example }: InputKind): string {
  return columns === null ? `{${example}}` : `${columns.join(",")}\n${example}`;
}

/** Null: a pack takes no file of this name. */
export function kindOf(name: string): InputKind | null {
  const isRates = name.startsWith(RATES);
  return isInputName(name) ? (INPUT_KINDS.find((one) => one.name === (isRates ? null : name)) ?? null) : null;
}

/**
 * The name under `inputs/` of a file that a user puts up. `kind`: what they say that it is; empty: its own
 * name says it. Throws a FieldError for what is none of the files that a pack takes.
 */
export function inputNameOf(kind: string, fileName: string): string {
  const found = INPUT_KINDS.find((one) => one.kind === kind);
  const isNamed = kind === "";
  if (isNamed ? !isInputName(fileName) : found === undefined) {
    const message = isNamed
      ? "the file name does not show which kind of file this is"
      : "there is no such kind of file";
    throw new FieldError("kind", { message, hint: "choose what this file is" });
  }
  const name = isNamed ? fileName : (found?.name ?? `${RATES}${fileName}`);
  if (!isInputName(name)) {
    const message = "a file of rates keeps its name, and this name cannot be used";
    const hint = "rename it, for example to ecb.csv: letters, digits and =._- without blanks, and .csv at the end";
    throw new FieldError("file", { message, hint });
  }
  return name;
}
