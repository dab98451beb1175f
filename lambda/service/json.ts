import { FillbookError } from "../core/errors.ts";
import { isRecord } from "../core/record.ts";
import { counted } from "../core/text.ts";

/** A JSON number as it was written. A double cannot hold every number of a body. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The source text of a number. Null: the value was not a number. */
export function numberText(value: unknown): string | null {
  if (value instanceof NumberText) {
    return value.text;
  }
  return typeof value === "number" ? String(value) : null;
}

export function numberOf(value: unknown): number | null {
  const text = numberText(value);
  return text === null ? null : Number(text);
}

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The deepest nesting that is kept as data, because later code may recurse over it. */
export const MAX_DEPTH = 64;
const EXCERPT_LENGTH = 80;

/**
 * Finds a number that JSON.parse would not keep as written: any but a whole number of up to 15 digits. A
 * usual body has none, and then the doubles give the text. A match inside a text only costs time.
 */
const ODD_NUMBER = /[:,[]\s*(?:-0|-?\d+[.eE]|-?\d{16})/;

/**
 * Parses a body and keeps the source text of its numbers. `endpoint` is for the message.
 * @throws FillbookError `incomplete` if the body is not JSON (cut, or an error page): another answer may be.
 * `untrusted` if it is nested too deep to be read with source texts.
 */
export function parseJson(endpoint: string, body: string, isOdd = ODD_NUMBER.test(body)): unknown {
  try {
    return JSON.parse(body.startsWith("\ufeff") ? body.slice(1) : body, isOdd ? withSource : undefined);
  } catch (error) {
    // V8 parses without recursion but revives with it. Its own message quotes the body, so it is not
    // repeated.
    if (error instanceof RangeError) {
      throw new FillbookError("untrusted", `${endpoint}: the answer is nested too deeply`);
    }
    throw new FillbookError("incomplete", `${endpoint}: the answer is not complete JSON: ${excerptOf(body)}`);
  }
}

function withSource(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? new NumberText(context?.source ?? String(value)) : value;
}

function excerptOf(body: string): string {
  return body === "" ? "it is empty" : `${counted(body.length, "character")} that begin ${describe(body)}`;
}

/** A value for a message: shortened JSON. Of an object or array only the kind is named. */
export function describe(value: unknown): string {
  if (value instanceof NumberText) {
    return shortened(value.text);
  }
  if (typeof value === "string") {
    return value.length > EXCERPT_LENGTH ? `${JSON.stringify(value.slice(0, EXCERPT_LENGTH))}…` : JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `an array of ${value.length}`;
  }
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    const shown = keys.slice(0, 5).map((key) => shortened(JSON.stringify(key)));
    return keys.length === 0 ? "an empty object" : `an object with ${shown.join(", ")}${keys.length > 5 ? ", …" : ""}`;
  }
  return value === undefined ? "missing" : String(value);
}

function shortened(text: string): string {
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}…` : text;
}

export function isJsonRecord(value: unknown): value is JsonRecord {
  return isRecord(value) && !(value instanceof NumberText);
}

/** Whether a value is nested deeper than MAX_DEPTH. */
export function isTooDeep(value: unknown, depth = 1): boolean {
  const isNested = typeof value === "object" && value !== null && !(value instanceof NumberText);
  return isNested && (depth > MAX_DEPTH || Object.values(value).some((inner) => isTooDeep(inner, depth + 1)));
}

/**
 * A value as data that survives being written as JSON and read again. Whole numbers of up to 15 digits stay
 * numbers; any other number becomes its source text.
 */
export function settled(value: unknown): unknown {
  if (value instanceof NumberText) {
    const number = Number(value.text);
    const isExact = Number.isInteger(number) && Math.abs(number) < 1e15 && !Object.is(number, -0);
    return isExact && !LONG.test(value.text) ? number : value.text;
  }
  if (Array.isArray(value)) {
    return value.map(settled);
  }
  // fromEntries defines each key as an own property, so `__proto__` is data like any other key.
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, settled(inner)]))
    : value;
}

/** At least 16 characters: a number needs 16 digits to be rounded to a whole number below 10^15. */
const LONG = /^-?\d.{15}/;
