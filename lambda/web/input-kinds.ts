import { FillbookError } from "../core/errors.ts";
import {
  ACCOUNTS,
  BALANCES,
  FUNDING,
  isInputName,
  MARKS,
  MATCHES,
  OPENING_POSITIONS,
  RATES,
  TRANSFERS,
} from "../inputs/files.ts";

export interface InputKind {
  /** As a form has it. */
  readonly kind: string;
  /** Null: a file in the folder rates, under a name of its own. */
  readonly name: string | null;
  readonly title: string;
  /** What it is for. */
  readonly about: string;
}

export const INPUT_KINDS: readonly InputKind[] = [
  {
    kind: "opening-positions",
    name: OPENING_POSITIONS,
    title: "Opening positions",
    about: "Positions that were open before the first fill in the archive, and their cost.",
  },
  {
    kind: "funding",
    name: FUNDING,
    title: "Funding payments",
    about: "Funding paid and received. The venue's fill data does not include it.",
  },
  { kind: "transfers", name: TRANSFERS, title: "Transfers", about: "Deposits and withdrawals of cash." },
  {
    kind: "balances",
    name: BALANCES,
    title: "Balances",
    about: "Cash balances according to the venue's statements. Packs compare the calculated cash with them.",
  },
  {
    kind: "marks",
    name: MARKS,
    title: "Market prices",
    about: "Prices to value open positions on the last day of a period.",
  },
  {
    kind: "matches",
    name: MATCHES,
    title: "Specific identification",
    about:
      "The lots that each closing fill closes. With this file, only the method Specific identification can be used.",
  },
  {
    kind: "rates",
    name: null,
    title: "Exchange rates",
    about: "A file as published by a central bank or HMRC, for packs in another currency.",
  },
  {
    kind: "accounts",
    name: ACCOUNTS,
    title: "Accounts of your books",
    about: "Names for the statement, and account names for your bookkeeping program.",
  },
];

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
