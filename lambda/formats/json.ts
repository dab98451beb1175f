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
  return typeof value === "number" ? plainNumber(value) : null;
}

export function numberOf(value: unknown): number | null {
  if (value instanceof NumberText) {
    return Number(value.text);
  }
  return typeof value === "number" ? value : null;
}

export type JsonRecord = Readonly<Record<string, unknown>>;

export function isJsonRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !(Array.isArray(value) || value instanceof NumberText);
}

/** The deepest nesting that is kept as data, because later code may recurse over it. */
export const MAX_DEPTH = 64;

/**
 * Finds a number that JSON.parse would not keep as written: any but a whole number of up to 15 digits. A
 * usual body has none, and then the doubles give the text. A match inside a text only costs time.
 */
const ODD_NUMBER = /[:,[]\s*(?:-0|-?\d+[.eE]|-?\d{16})/;

/**
 * Parses JSON and keeps the source text of its numbers. Throws what JSON.parse throws; a RangeError if the
 * text is nested too deep to be read with source texts.
 */
export function parseLossless(text: string, isOdd: boolean = ODD_NUMBER.test(text)): unknown {
  return JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text, isOdd ? withSource : undefined);
}

function withSource(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? new NumberText(context?.source ?? String(value)) : value;
}

/** Whether a value is nested deeper than MAX_DEPTH. */
export function isTooDeep(value: unknown, depth = 1): boolean {
  const isNested = typeof value === "object" && value !== null && !(value instanceof NumberText);
  return isNested && (depth > MAX_DEPTH || Object.values(value).some((inner) => isTooDeep(inner, depth + 1)));
}

/**
 * A value as plain data: whole numbers of up to 15 digits stay numbers; any other number becomes its source
 * text.
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
  return isJsonRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, settled(inner)]))
    : value;
}

/** At least 16 characters: a number needs 16 digits to be rounded to a whole number below 10^15. */
const LONG = /^-?\d.{15}/;

/**
 * JSON text with the keys of every object in code-unit order. Equal values give equal text, whatever the
 * order of the service's fields. It keeps everything that `JSON.parse` and `parseLossless` can produce: the
 * digits of numbers, `-0`, and the infinity from a number such as 1e400. Lone surrogates are escaped, so that
 * the text is valid UTF-8. Anything that JSON cannot hold is a fault.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") {
    return JSON.stringify(value);
  }
  const number = numberText(value);
  if (number !== null) {
    return number;
  }
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(",")}]`;
  }
  if (isJsonRecord(value)) {
    if (!isPlain(value)) {
      throw new TypeError(`not a JSON value: ${value.constructor.name}`);
    }
    const { sorted, inOrder } = keysOf(value);
    return inOrder !== null && Object.values(value).every(isFlat)
      ? JSON.stringify({ ...inOrder, ...value }) // five times as fast
      : `{${sorted.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
  }
  const text = JSON.stringify(value);
  if (text === undefined) {
    throw new TypeError(`not a JSON value: ${typeof value}`);
  }
  return text;
}

interface Keys {
  readonly all: readonly string[];
  readonly sorted: readonly string[];
  /** A record whose keys they are, sorted. Null: no object can have them in that order. */
  readonly inOrder: JsonRecord | null;
}

let lastKeys: Keys = { all: [], sorted: [], inOrder: {} };

/** The rows of a page have their keys in one order, so the keys of the row before are kept. */
function keysOf(value: JsonRecord): Keys {
  const all = Object.keys(value);
  if (all.length !== lastKeys.all.length || all.some((key, place) => key !== lastKeys.all[place])) {
    const sorted = all.toSorted();
    const inOrder = all.every((key) => /^[a-z]/i.test(key))
      ? Object.fromEntries(sorted.map((key) => [key, null]))
      : null;
    lastKeys = { all, sorted, inOrder };
  }
  return lastKeys;
}

/** JSON.stringify writes it as it came. */
function isFlat(value: unknown): boolean {
  return value === null || typeof value === "string" || (Number.isSafeInteger(value) && value !== 0);
}

/** Not an instance of a class, whose properties may not be its own. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function plainNumber(value: number): string {
  if (Number.isNaN(value)) {
    throw new TypeError("not a JSON value: NaN");
  }
  if (Number.isFinite(value)) {
    return Object.is(value, -0) ? "-0" : JSON.stringify(value);
  }
  return value > 0 ? "1e999" : "-1e999";
}

const EXCERPT_LENGTH = 80;

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
