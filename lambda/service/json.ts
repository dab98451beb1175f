import { FillbookError } from "../core/errors.ts";
import { isRecord } from "../core/record.ts";

/** A JSON number as it was written: a double cannot hold every number that a body can. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  get value(): number {
    return Number(this.text);
  }
}

/** What `parseExact` leaves where a body had a number, besides what `JSON.parse` gives. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Deepest nesting that is kept as data: code further on may recurse over it. */
export const MAX_DEPTH = 64;
const EXCERPT_LENGTH = 80;

/**
 * The body's value. `endpoint` is for the message.
 * @throws FillbookError `incomplete` when it is not JSON: cut, or an error page. Asked again, it may be whole.
 */
export function parseJson(endpoint: string, body: string): unknown {
  return parse(endpoint, body, undefined);
}

/** The same with every number as NumberText: several times slower. Nested too deep for that, it is `untrusted`. */
export function parseExact(endpoint: string, body: string): unknown {
  return parse(endpoint, body, (_key, value, context) =>
    typeof value === "number" ? new NumberText(context?.source ?? String(value)) : value,
  );
}

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

function parse(endpoint: string, body: string, reviver: Reviver | undefined): unknown {
  try {
    return JSON.parse(body.startsWith("\ufeff") ? body.slice(1) : body, reviver);
  } catch (error) {
    // V8's own message quotes the body, and is not repeated. It parses without recursion, but revives with it.
    if (error instanceof RangeError) {
      throw new FillbookError("untrusted", `${endpoint}: the answer is nested too deep to be read`);
    }
    throw new FillbookError("incomplete", `${endpoint}: the answer is not whole JSON: ${excerptOf(body)}`);
  }
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

/**
 * A value as data that survives being written as JSON and read again: whole numbers of up to 15 digits stay numbers, any other number is
 * its source text. `needsSource` when there is such a number without its text; `tooDeep` when it is nested deeper than MAX_DEPTH.
 */
export function settle(value: unknown): Settled {
  const problem = { kind: null as "needsSource" | "tooDeep" | null };
  const data = settled(value, 1, problem);
  return problem.kind ?? { data };
}

export type Settled = { readonly data: unknown } | "needsSource" | "tooDeep";

function settled(value: unknown, depth: number, problem: { kind: "needsSource" | "tooDeep" | null }): unknown {
  if (value instanceof NumberText) {
    return isExact(value.value) && !LONG_NUMBER.test(`:${value.text}`) ? value.value : value.text;
  }
  if (typeof value === "number" && !isExact(value)) {
    problem.kind ??= "needsSource";
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (depth > MAX_DEPTH) {
    problem.kind = "tooDeep";
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((item) => settled(item, depth + 1, problem));
  }
  // fromEntries defines each key as an own property: `__proto__` is data like any other.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, settled(inner, depth + 1, problem)]));
}

function isExact(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1e15 && !Object.is(value, -0);
}

/**
 * A number of 16 characters or more. In a body without one, every double that is a whole number below 10^15 is exactly what was written:
 * it takes 16 digits to be rounded to one.
 */
export const LONG_NUMBER = /[:,[]\s*-?\d[-+.\deE]{15}/;
