import { FILL_COLUMNS } from "../fills/columns.ts";
import type { PackFile } from "../job.ts";
import { ASSUMPTIONS } from "./assumptions.ts";
import type { Claim } from "./completeness.ts";
import { RESTATEMENT_COLUMNS } from "./restatements.ts";
import { EXCEPTION_COLUMNS, EXTRA_COLUMN } from "./tables.ts";

/** Data Package v2 (datapackage.org), so that a program finds what is in each file, and checks that it is the file. */
const PROFILES = "https://datapackage.org/profiles/2.0";

const FIELD_TYPES = { text: "string", time: "datetime", decimal: "number" } as const;

interface Column {
  readonly name: string;
  readonly kind: keyof typeof FIELD_TYPES;
  readonly description: string;
  readonly required?: boolean;
}

const CSV_FACTS = {
  mediatype: "text/csv",
  encoding: "utf-8",
  dialect: { header: true, delimiter: ",", lineTerminator: "\r\n", quoteChar: '"', doubleQuote: true },
};

const KEY = ["match_id", "order_id"];

/** What is said of each file of a pack; the key is its name without the mark of an incomplete pack. */
const RESOURCES: Readonly<Record<string, { readonly description: string; readonly facts: (fills: string) => object }>> =
  {
    "fills.csv": {
      description:
        "One row a fill. Numbers are written as the service gave them. Text that a spreadsheet would run as a formula begins with an apostrophe; completeness.json counts such cells.",
      facts: () => ({ ...CSV_FACTS, schema: tableSchema(FILL_COLUMNS, { primaryKey: KEY }) }),
    },
    "fills.parquet": {
      description: "The same rows, typed: amounts DECIMAL(38,18), times TIMESTAMP(ms, UTC).",
      facts: () => ({
        mediatype: "application/vnd.apache.parquet",
        format: "parquet",
        schema: tableSchema([...FILL_COLUMNS, EXTRA_COLUMN], { primaryKey: KEY }),
      }),
    },
    "exceptions.csv": {
      description:
        "What a reader must know of single fills: values that are missing, of another type or form, or at the cut-off.",
      facts: (fills) => ({
        ...CSV_FACTS,
        schema: tableSchema(EXCEPTION_COLUMNS, {
          foreignKeys: [{ fields: KEY, reference: { resource: fills, fields: KEY } }],
        }),
      }),
    },
    "restatements.csv": {
      description:
        "What the service said otherwise after its time was read to the end: fills of the period, before or after, that came late, changed or say more. A row for each column that differs, oldest first; text that a spreadsheet would run as a formula begins with an apostrophe.",
      facts: () => ({ ...CSV_FACTS, schema: tableSchema(RESTATEMENT_COLUMNS, {}) }),
    },
    "completeness.json": {
      description:
        "What the pack rests on: coverage, gaps, totals and hashes of the whole and of each month, assumptions.",
      facts: () => ({ mediatype: "application/json", encoding: "utf-8" }),
    },
  };

/** `mark`: what the file names begin with in an incomplete pack. */
export function datapackageText(
  { account, period, complete }: Claim,
  files: readonly PackFile[],
  mark: string,
): string {
  const days = `${period.firstDay} to ${period.lastDay}, ${period.zone}`;
  const document = {
    $schema: `${PROFILES}/datapackage.json`,
    name: `fillbook-${account}-${period.name}`.toLowerCase().replaceAll(/[^a-z0-9._-]/g, "-"),
    title: `Fills of ${account}, ${period.name} (${days}), excl. funding${complete ? "" : ": INCOMPLETE"}`,
    description: ASSUMPTIONS.join("\n\n"),
    resources: files.map((file) => resourceOf(file, mark)),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function resourceOf({ path, bytes, sha256, rows }: PackFile, mark: string) {
  const file = path.slice(mark.length);
  const known = RESOURCES[file];
  if (known === undefined) {
    throw new TypeError(`no description of ${file}`);
  }
  const { facts, description } = known;
  return {
    $schema: `${PROFILES}/dataresource.json`,
    name: resourceName(file),
    ...(rows === undefined ? {} : { type: "table" }),
    path,
    description,
    bytes,
    hash: `sha256:${sha256}`,
    ...(rows === undefined ? {} : { rows }),
    ...facts(resourceName("fills.csv")),
  };
}

function resourceName(file: string): string {
  return file.replace(".", "-");
}

function tableSchema(columns: readonly Column[], keys: object) {
  return {
    $schema: `${PROFILES}/tableschema.json`,
    fields: columns.map(({ name, kind, description, required }) => ({
      name,
      type: FIELD_TYPES[kind],
      ...(kind === "decimal" ? { decimalChar: "." } : {}),
      description,
      ...(required === true ? { constraints: { required: true } } : {}),
    })),
    ...keys,
    missingValues: [""],
  };
}
