import type { PackFile } from "../../job/context.ts";
import type { Closing, FileFacts, PackContext } from "../make/maker.ts";
import type { Field } from "../tables/field.ts";
import { assumptionsOf } from "./assumptions.ts";

/** Data Package v2 (datapackage.org). A program can find what is in each file, and check the file. */
const PROFILES = "https://datapackage.org/profiles/2.0";

const FIELD_TYPES = {
  ...{ text: "string", note: "string", time: "datetime", day: "date", count: "integer" },
  ...{ decimal: "number", money: "number", quantity: "number", rate: "number" },
} as const;

/** The standard's defaults, but programs guess where it is not said. */
const CSV_DIALECT = { header: true, delimiter: ",", lineTerminator: "\r\n", quoteChar: '"', doubleQuote: true };

export const DATAPACKAGE: FileFacts = {
  path: "datapackage.json",
  description: "Description of every file and column, for programs (Data Package v2).",
  mediatype: "application/json",
};

/** A file of a pack and its description. */
export interface Described {
  readonly file: PackFile;
  readonly facts: FileFacts;
}

export function datapackageText(
  { name, accounts, period, complete }: PackContext,
  { proof }: Pick<Closing, "proof">,
  files: readonly Described[],
): string {
  const days = `${period.firstDay} to ${period.lastDay}, ${period.zone}`;
  const document = {
    $schema: `${PROFILES}/datapackage.json`,
    name: `fillbook-${name}-${period.name}`.toLowerCase().replaceAll(/[^a-z0-9._-]/g, "-"),
    title: `Fills of ${accounts.map(({ account }) => account).join(", ")}, ${period.name} (${days}), excl. funding${complete ? "" : ": INCOMPLETE"}`,
    description: assumptionsOf(proof).join("\n\n"),
    resources: files.map(resourceOf),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function resourceOf({ file, facts }: Described) {
  const { path, bytes, sha256, rows } = file;
  const { description, mediatype, format, columns, keys } = facts;
  return {
    $schema: `${PROFILES}/dataresource.json`,
    name: resourceName(path),
    ...(rows === undefined ? {} : { type: "table" }),
    path,
    description,
    mediatype,
    ...(format === undefined ? {} : { format }),
    ...(mediatype.startsWith("text/") || mediatype.endsWith("json") ? { encoding: "utf-8" } : {}),
    // frictionless counts no bytes of a Parquet file, and so would call any number wrong.
    ...(format === "parquet" ? {} : { bytes }),
    hash: `sha256:${sha256}`,
    ...(rows === undefined ? {} : { rows }),
    ...(mediatype === "text/csv" ? { dialect: CSV_DIALECT } : {}),
    ...(columns === undefined ? {} : { schema: tableSchema(columns, keys ?? []) }),
  };
}

/** Lower-case letters, digits and `.-_/`, as the standard requires. Names are unique in a pack. */
function resourceName(path: string): string {
  return path
    .toLowerCase()
    .replaceAll(/[^a-z0-9._/-]/g, "-")
    .replaceAll(".", "-");
}

function tableSchema(columns: readonly Field[], keys: readonly string[]) {
  return {
    $schema: `${PROFILES}/tableschema.json`,
    fields: columns.map(({ name, kind, description, required }) => ({
      name,
      type: FIELD_TYPES[kind],
      description,
      ...(required === true ? { constraints: { required: true } } : {}),
    })),
    ...(keys.length === 0 ? {} : { primaryKey: keys }),
    missingValues: [""],
  };
}
