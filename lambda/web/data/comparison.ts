import { type Fields, fieldsOf } from "../../core/record.ts";
import { compareText } from "../../core/text.ts";
import { INCOMPLETE_MARK } from "../../pack/make/maker.ts";
import type { AccountStores, PackChange, PackDetails, PackFileEntry } from "../packs.ts";
import { fileNamed, isReadable, rangeOf, readPackText } from "./catalogue.ts";
import { addedRestatements, type SumChange, type SummaryTexts, sumChanges } from "./csv-changes.ts";

/** What differs between two versions of one period. */
export interface PackComparison {
  /**
   * All sums of each currency, and the differing sums of each month; null if a summary file is missing or
   * too large to be read here.
   */
  readonly sums: readonly SumChange[] | null;
  /** The figures of `completeness.json` that differ. */
  readonly figures: readonly PackChange[];
  /** Late and changed fills that only the second version knows. */
  readonly fills: readonly PackChange[];
  /** All files of both versions, sorted. */
  readonly files: readonly FileChange[];
}

export interface FileChange {
  /** Without the prefix of an incomplete pack. */
  readonly path: string;
  /** Size and hash; empty if the version has no such file. */
  readonly before: string;
  readonly after: string;
}

export async function comparePacks(
  stores: AccountStores,
  before: PackDetails,
  after: PackDetails,
): Promise<PackComparison> {
  const [was, is, restatements] = await Promise.all([
    readSummaries(stores, before),
    readSummaries(stores, after),
    readBoth(stores, before, after, "restatements.csv"),
  ]);
  return {
    sums: was && is && sumChanges(was, is),
    figures: figureChanges(before.document, after.document),
    fills: restatements
      ? addedRestatements(...restatements)
      : [{ what: "restatements.csv: rows", before: "", after: "too many to compare here" }],
    files: fileChanges(before.files, after.files),
  };
}

const TOTALS = "summary.csv";
const MONTHS = "summary-months.csv";

/** Null if a summary file is missing or too large. */
async function readSummaries(stores: AccountStores, pack: PackDetails): Promise<SummaryTexts | null> {
  const [totals, months] = [fileNamed(pack, TOTALS), fileNamed(pack, MONTHS)];
  if (totals === undefined || !isReadable(totals) || (months !== undefined && !isReadable(months))) {
    return null;
  }
  const [totalsText, monthsText] = await Promise.all([
    readPackText(stores, pack, TOTALS),
    months === undefined ? null : readPackText(stores, pack, MONTHS),
  ]);
  return { totals: totalsText, months: monthsText };
}

/** A file of both packs; null if one of them lacks it or has it too large. */
async function readBoth(
  stores: AccountStores,
  before: PackDetails,
  after: PackDetails,
  name: string,
): Promise<[string, string] | null> {
  const files = [before, after].map((pack) => fileNamed(pack, name));
  return files.every((file) => file !== undefined && isReadable(file))
    ? await Promise.all([readPackText(stores, before, name), readPackText(stores, after, name)])
    : null;
}

/** Texts whose wording may change with fillbook's version; they are not figures. */
const NO_FIGURES: readonly string[] = ["format", "assumptions", "notes"];
/** Fields that identify an element of a list. */
const NAMES = ["month", "market", "path", "currency"] as const;
/** Real documents have a depth of four. */
const MAX_DEPTH = 8;

type Figures = ReadonlyMap<string, string>;

/** Figures that differ between two completeness.json, by name. */
function figureChanges(before: Fields, after: Fields): PackChange[] {
  return sidesOf(figuresOf(before), figuresOf(after))
    .filter((sides) => sides.before !== sides.after)
    .map(({ name, ...sides }) => ({ what: `completeness.json: ${name}`, ...sides }));
}

/** All files of both versions, by path. Paths of an incomplete pack are compared without its prefix. */
function fileChanges(before: readonly PackFileEntry[], after: readonly PackFileEntry[]): FileChange[] {
  return sidesOf(hashesOf(before), hashesOf(after)).map(({ name, ...sides }) => ({ path: name, ...sides }));
}

function sidesOf(before: Figures, after: Figures): { name: string; before: string; after: string }[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort(compareText)
    .map((name) => ({ name, before: before.get(name) ?? "", after: after.get(name) ?? "" }));
}

function hashesOf(files: readonly PackFileEntry[]): Figures {
  return new Map(
    files.flatMap(({ path, bytes, sha256 }) => {
      const name = path.lastIndexOf("/") + 1;
      const plain = path.slice(0, name) + path.slice(name).replace(new RegExp(`^${INCOMPLETE_MARK}`), "");
      return sha256 === null ? [] : [[plain, `${bytes} bytes, sha256 ${sha256}`] as const];
    }),
  );
}

function figuresOf(document: Fields): Figures {
  const kept = Object.entries(document).filter(([name]) => !NO_FIGURES.includes(name));
  return new Map(namedFigures(Object.fromEntries(kept), []));
}

/** Each figure, named by its path in the document: `months 2025-03 rows`. */
function namedFigures(value: unknown, way: readonly string[]): [string, string][] {
  const text = textOf(value);
  if (text !== null) {
    return [[way.join(" "), text]];
  }
  return way.length < MAX_DEPTH
    ? namedValues(value).flatMap(([name, inner]) => namedFigures(inner, [...way, name]))
    : [];
}

/** The text of a plain value, or of a list of plain values or ranges; null for a value with named parts. */
function textOf(value: unknown): string | null {
  if (Array.isArray(value)) {
    const texts = value.map((one) => rangeTextOf(one) ?? textOfPlain(one)).filter((text) => text !== null);
    return texts.length === value.length ? texts.join(", ") : null;
  }
  return textOfPlain(value);
}

function textOfPlain(value: unknown): string | null {
  if (value === null) {
    return "none";
  }
  return typeof value === "object" ? null : String(value);
}

function rangeTextOf(value: unknown): string | null {
  const { from, to, ...others } = fieldsOf(value);
  return rangeOf(value) === null || Object.keys(others).length > 0 ? null : `${from} to ${to}`;
}

function namedValues(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) {
    return value.map((one, at) => namedElement(one) ?? [String(at + 1), one]);
  }
  return Object.entries(fieldsOf(value)).map(([name, inner]) => [name.replaceAll("_", " "), inner]);
}

/** Splits an element of a list into the text of its identifying field and its other fields. */
function namedElement(value: unknown): [string, unknown] | null {
  const fields = fieldsOf(value);
  const field = NAMES.find((one) => typeof fields[one] === "string");
  if (field === undefined) {
    return null;
  }
  return [String(fields[field]), Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field))];
}
