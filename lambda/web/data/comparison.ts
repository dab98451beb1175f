import { compareText } from "../../core/text.ts";
import { INCOMPLETE_MARK } from "../../pack/build/maker.ts";
import type { FileChange, PackChange, PackFileEntry } from "../ports.ts";
import { fieldsOf, rangeOf } from "./completeness-statement.ts";

/** Texts that a newer fillbook words otherwise: no figures. */
const NO_FIGURES: readonly string[] = ["format", "assumptions", "notes"];
/** What names an element of a list. */
const NAMES = ["month", "market", "path"] as const;
/** Real ones have four. */
const MAX_DEPTH = 8;

type Figures = ReadonlyMap<string, string>;

/** Figures of two completeness.json that differ, by name. */
export function figureChanges(before: unknown, after: unknown): PackChange[] {
  return sidesOf(figuresOf(before), figuresOf(after))
    .filter((sides) => sides.before !== sides.after)
    .map(({ name, ...sides }) => ({ what: `completeness.json: ${name}`, ...sides }));
}

/** All files of both, by path; those of an incomplete pack by the names that they have without its mark. */
export function fileChanges(before: readonly PackFileEntry[], after: readonly PackFileEntry[]): FileChange[] {
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

function figuresOf(document: unknown): Figures {
  const figures = new Map<string, string>();
  const kept = Object.entries(fieldsOf(document)).filter(([name]) => !NO_FIGURES.includes(name));
  collect(Object.fromEntries(kept), [], figures);
  return figures;
}

/** Names a figure by its way: `months 2025-03 rows`. */
function collect(value: unknown, way: readonly string[], figures: Map<string, string>): void {
  const text = textOf(value);
  if (text !== null) {
    figures.set(way.join(" "), text);
  } else if (way.length < MAX_DEPTH) {
    for (const [name, inner] of namedValues(value)) {
      collect(inner, [...way, name], figures);
    }
  }
}

/** Of a plain value, or a list of them or of ranges; null: of what has parts with names. */
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

/** An element of a list by the field that names it, and its other fields. */
function namedElement(value: unknown): [string, unknown] | null {
  const fields = fieldsOf(value);
  const field = NAMES.find((one) => typeof fields[one] === "string");
  if (field === undefined) {
    return null;
  }
  return [String(fields[field]), Object.fromEntries(Object.entries(fields).filter(([name]) => name !== field))];
}
