import { FillbookError } from "../../core/errors.ts";
import { nearest } from "../../core/suggest.ts";
import { count } from "../../core/text.ts";

const MAX_SHOWN = 80;
/**
 * Settings have a few lines and three levels. Much longer text is refused before it is parsed, because
 * parsing recurses.
 */
const MAX_LENGTH = 1_000_000;
const MAX_LEVELS = 16;

/** The form that a value must have, and what to write instead. */
export interface Form {
  readonly pattern: RegExp;
  readonly write: string;
}

interface TextOptions {
  /** Used when the key is missing. */
  readonly fallback?: string;
  /** The text that is checked instead. */
  readonly filled?: (text: string) => string;
}

export interface ObjectReader {
  value(key: string): unknown;
  text(key: string, form: Form, options?: TextOptions): string;
}

/**
 * Reads an object of a settings file strictly. `path`: its place in the file, "" for the whole file. Its
 * functions throw `usage`.
 */
export function objectReader(where: string, path: string, value: unknown, known: readonly string[]): ObjectReader {
  const fields = new Map(entriesOf(where, path, value));
  const pathOf = (key: string) => (path === "" ? key : `${path}.${key}`);
  for (const key of fields.keys()) {
    if (!known.includes(key)) {
      const meant = nearest(key.slice(0, MAX_SHOWN), known);
      throw new FillbookError("usage", `${where}: ${shown(pathOf(key))} is not known`, {
        hint: `${meant === undefined ? "" : `did you mean ${meant}? `}${path === "" ? "the file" : path} takes ${known.join(", ")}`,
      });
    }
  }
  return {
    value: (key) => fields.get(key),
    text(key, { pattern, write }, { fallback, filled }: TextOptions = {}) {
      const given = fields.has(key) ? fields.get(key) : fallback;
      if (typeof given !== "string" || !pattern.test(filled?.(given) ?? given)) {
        throw wrong(where, pathOf(key), `is ${shown(given)}`, write);
      }
      return given;
    },
  };
}

export function entriesOf(where: string, path: string, value: unknown): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong(where, path === "" ? "the file" : path, `is ${shown(value)}`, "a JSON object: {…}");
  }
  return Object.entries(value);
}

/** Throws `usage` if the text is not JSON, if it is too long or too deep, or if an object has a key twice. */
export function jsonOf(text: string, where: string): unknown {
  if (text.length > MAX_LENGTH) {
    throw wrong(where, "the file", `has more than ${count(MAX_LENGTH)} characters`, "only settings");
  }
  const value = parsed(text.replace(/^\uFEFF/, ""), where);
  if (levelsOf(text) > MAX_LEVELS) {
    throw wrong(where, "the file", `is nested deeper than ${MAX_LEVELS} levels`, "only settings");
  }
  const twice = repeatedKey(text);
  if (twice !== undefined) {
    throw wrong(where, shown(twice), "is there twice", "each key once");
  }
  return value;
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FillbookError("usage", `${where} is not JSON: ${reason.slice(0, 2 * MAX_SHOWN)}`, {
      hint: 'write an object such as {"par": {"USDT": "USD"}}',
      cause: error,
    });
  }
}

/** The depth of a valid JSON text, without recursion. */
function levelsOf(json: string): number {
  let [level, deepest] = [0, 0];
  for (const [token] of json.matchAll(TOKENS)) {
    level += "[{".includes(token) ? 1 : 0;
    level -= "]}".includes(token) ? 1 : 0;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}

/** Texts, with the colon that makes them keys, and the characters that begin and end levels. */
const TOKENS = /"(?:[^"\\]|\\.)*"(?:\s*:)?|[[\]{}]/g;

/** The first key that an object of a valid JSON text has twice. JSON.parse would silently take the last. */
function repeatedKey(json: string): string | undefined {
  const keys: Set<string>[] = [];
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === "{") {
      keys.push(new Set());
    } else if (token === "}") {
      keys.pop();
    } else if (token.endsWith(":")) {
      const key: string = JSON.parse(token.slice(0, -1));
      if (keys.at(-1)?.has(key)) {
        return key;
      }
      keys.at(-1)?.add(key);
    }
  }
  return undefined;
}

/** The error of one key: what is wrong, and what to write. */
export function wrong(where: string, key: string, what: string, write: string): FillbookError {
  return new FillbookError("usage", `${where}: ${key.slice(0, MAX_SHOWN)} ${what}`, { hint: `write ${write}` });
}

/** A value as it stands in the file, shortened. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
