import { FillbookError } from "../core/errors.ts";
import { isRecord } from "../core/record.ts";

/** A JSON number as it was written: a double cannot hold every number that a body can. */
class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The source text of what was a number; null: it was none. */
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

/** Deepest nesting that is kept as data: code further on may recurse over it. */
export const MAX_DEPTH = 64;
const EXCERPT_LENGTH = 80;

/**
 * A number that JSON.parse would not keep as it was written: any but a whole one of up to 15 digits. Where a body has none of them, as is usual, the text
 * of its numbers is that of the doubles. In a text it may be found as well, which only costs time.
 */
const ODD_NUMBER = /[:,[]\s*(?:-0|-?\d+[.eE]|-?\d{16})/;

/**
 * The body's value, with the source text of its numbers. `endpoint` is for the message.
 * @throws FillbookError `incomplete` when it is not JSON: cut, or an error page. Asked again, it may be whole. `untrusted` when it is nested too deep to be
 * read with source texts, which are several times slower.
 */
export function parseJson(endpoint: string, body: string, isOdd = ODD_NUMBER.test(body)): unknown {
  try {
    return JSON.parse(body.startsWith("\ufeff") ? body.slice(1) : body, isOdd ? withSource : undefined);
  } catch (error) {
    // V8's own message quotes the body, and is not repeated. It parses without recursion, but revives with it.
    if (error instanceof RangeError) {
      throw new FillbookError("untrusted", `${endpoint}: the answer is nested too deep to be read`);
    }
    throw new FillbookError("incomplete", `${endpoint}: the answer is not whole JSON: ${excerptOf(body)}`);
  }
}

function withSource(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? new NumberText(context?.source ?? String(value)) : value;
}

function excerptOf(body: string): string {
  return body === "" ? "it is empty" : `${body.length} characters that begin ${describe(body)}`;
}

/** A value for a message: JSON, shortened; what holds other values is only named. */
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
 * A value as data that survives being written as JSON and read again: whole numbers of up to 15 digits stay numbers, any other number is
 * its source text.
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
  // fromEntries defines each key as an own property: `__proto__` is data like any other.
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, settled(inner)]))
    : value;
}

/** 16 characters or more: it takes 16 digits to be rounded to a whole number below 10^15. */
const LONG = /^-?\d.{15}/;
