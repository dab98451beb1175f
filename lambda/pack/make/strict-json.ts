import { type FillbookError, usageError } from "../../core/errors.ts";
import { nearest } from "../../core/suggest.ts";
import { count } from "../../core/text.ts";
import { describe } from "../../formats/json.ts";

/** Reads a value of a settings file. Throws `usage` if it is of another form. */
export type Read<T> = (value: unknown, at: Place) => T;

/** Where a value is. */
export interface Place {
  /** The file, for messages. */
  readonly where: string;
  /** `hledger.cash`; "" for the whole file. */
  readonly path: string;
}

const MAX_SHOWN = 80;
/** Settings have a few lines and three levels. What is much longer or deeper is refused. */
const MAX_LENGTH = 1_000_000;
const MAX_LEVELS = 16;

/** Each key once, and no others; keys that are missing are read as undefined. */
export function object<T extends object>(reads: { readonly [Key in keyof T]: Read<T[Key]> }): Read<T> {
  const known = Object.keys(reads);
  return (value, { where, path }) => {
    const prefix = path === "" ? "" : `${path}.`;
    const fields = new Map(entriesOf(value, { where, path }));
    const unknown = [...fields.keys()].find((key) => !known.includes(key));
    if (unknown !== undefined) {
      const meant = nearest(unknown.slice(0, MAX_SHOWN), known);
      const hint = `${meant === undefined ? "" : `did you mean ${meant}? `}${path === "" ? "the file" : path} takes ${known.join(", ")}`;
      throw usageError(`${where}: ${describe(prefix + unknown)} is not known`, hint);
    }
    const read = Object.entries<Read<unknown>>(reads).map(([key, own]) => [
      key,
      own(fields.get(key), { where, path: prefix + key }),
    ]);
    return Object.fromEntries(read) as T; // each by its own reader
  };
}

/** The value, or this where the key is missing. */
export function or<T>(fallback: T, read: Read<T>): Read<T> {
  return (value, at) => (value === undefined ? fallback : read(value, at));
}

/** Text of a pattern. `write`: what to write instead. */
export function text(pattern: RegExp, write: string, sampleOf = (given: string) => given): Read<string> {
  return (value, at) => {
    if (typeof value !== "string" || !pattern.test(sampleOf(value))) {
      throw wrong(at, `is ${describe(value)}`, write);
    }
    return value;
  };
}

export const flag: Read<boolean> = (value, at) => {
  if (typeof value !== "boolean") {
    throw wrong(at, `is ${describe(value)}`, "true or false");
  }
  return value;
};

/** None if the key is missing. */
export function entriesOf(value: unknown, at: Place): [string, unknown][] {
  if (value === undefined) {
    return [];
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong(at, `is ${describe(value)}`, "a JSON object: {…}");
  }
  return Object.entries(value);
}

/** Throws `usage` if the text is not JSON, if it is too long or too deep, or if an object has a key twice. */
export function jsonOf(json: string, where: string): unknown {
  const file = { where, path: "" };
  if (json.length > MAX_LENGTH) {
    throw wrong(file, `has more than ${count(MAX_LENGTH)} characters`, "only settings");
  }
  let value: unknown;
  try {
    value = JSON.parse(json.replace(/^\uFEFF/, ""));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = 'write an object such as {"par": {"USDT": "USD"}}';
    throw usageError(`${where} is not JSON: ${reason.slice(0, 2 * MAX_SHOWN)}`, hint, error);
  }
  refuseNesting(json, file);
  return value;
}

/** Texts, with the colon that makes them keys, and the characters that begin and end levels. */
const TOKENS = /"(?:[^"\\]|\\.)*"(?:\s*:)?|[[\]{}]/g;

/** Of valid JSON, without recursion. JSON.parse would silently take the last of two keys. */
function refuseNesting(json: string, file: Place): void {
  const open: Set<string>[] = [];
  for (const [token] of json.matchAll(TOKENS)) {
    if ("[{".includes(token)) {
      open.push(new Set());
    } else if ("]}".includes(token)) {
      open.pop();
    } else if (token.endsWith(":")) {
      const key: string = JSON.parse(token.slice(0, -1));
      if (open.at(-1)?.has(key)) {
        throw wrong({ ...file, path: describe(key) }, "is there twice", "each key once");
      }
      open.at(-1)?.add(key);
    }
    if (open.length > MAX_LEVELS) {
      throw wrong(file, `is nested deeper than ${MAX_LEVELS} levels`, "only settings");
    }
  }
}

/** The error of one key: what is wrong, and what to write. */
export function wrong({ where, path }: Place, what: string, write: string): FillbookError {
  return usageError(`${where}: ${path.slice(0, MAX_SHOWN) || "the file"} ${what}`, `write ${write}`);
}
