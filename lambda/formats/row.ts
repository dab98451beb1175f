import { FIELD_NAMES, type Fill } from "../core/fill.ts";
import {
  canonicalJson,
  describe,
  isJsonRecord,
  isTooDeep,
  type JsonRecord,
  MAX_DEPTH,
  numberOf,
  numberText,
  parseLossless,
  settled,
} from "./json.ts";

/** A row that can be filed, or why it cannot: no `matchId`, no `orderId`, or no plausible `txCreated`. */
export type PageRow = { readonly fill: Fill } | { readonly unfilable: string };

export const MAX_ID_LENGTH = 256;
/**
 * 2001-09-09. A smaller number is not the time of a trade in ms. Most likely it is in seconds, and would read
 * as 1970.
 */
const BEGINNING_OF_TIME_MS = 1_000_000_000_000;
/**
 * 9999-12-01. The month after it ends where ISO 8601 needs a fifth digit for the year, and the names of data
 * files hold both ends.
 */
const END_OF_TIME_MS = 253_399_622_400_000;

type Field = (typeof FIELD_NAMES)[keyof typeof FIELD_NAMES];

const KNOWN: ReadonlySet<string> = new Set(Object.values(FIELD_NAMES));

/**
 * Reads a row field by field. A value of the wrong type goes to `extra`. A JSON null means the same as an
 * absent field. A number in place of text is kept as its source text. `canonical`: the row's text, if that is
 * known.
 */
export function decodeRow(row: unknown, canonical?: string): PageRow {
  if (!isJsonRecord(row)) {
    return { unfilable: `the row is ${describe(row)}, not an object` };
  }
  let misfits: ReadonlySet<string> = NONE;
  const typed = <T>(name: Field, sent: unknown, value: T | null): T | null => {
    if (value === null && sent !== undefined && sent !== null) {
      misfits = new Set([...misfits, name]);
    }
    return value;
  };
  const text = (name: Field, sent: unknown) => typed(name, sent, textOf(sent));
  const fill = {
    row: "",
    matchId: text("matchId", row["matchId"]),
    orderId: text("orderId", row["orderId"]),
    txCreated: timeOf(row["txCreated"]),
    filledAt: typed("filledAt", row["filledAt"], timeOf(row["filledAt"])),
    market: text("market", row["market"]),
    side: text("orderType", row["orderType"]),
    liquidity: text("executionType", row["executionType"]),
    tradeType: text("tradeType", row["tradeType"]),
    fillType: text("fillType", row["fillType"]),
    triggerType: text("triggerType", row["triggerType"]),
    transactionHash: text("transactionHash", row["transactionHash"]),
    quantity: text("quantity", row["quantity"]),
    price: text("price", row["price"]),
    fee: text("fees", row["fees"]),
    triggerPrice: text("triggerPrice", row["triggerPrice"]),
    extra: null as Fill["extra"],
  };
  if (!isFilable(fill)) {
    return { unfilable: whyUnfilable(row, fill.matchId, fill.orderId) };
  }
  const extra = extraOf(row, misfits);
  if (typeof extra === "string") {
    return { unfilable: extra };
  }
  fill.extra = extra;
  fill.row = canonical ?? canonicalJson(row);
  return { fill };
}

const NONE: ReadonlySet<string> = new Set();

/** The fill of a row's canonical text, as `Fill.row` holds it. Throws if it is none. */
export function fillOfRow(text: string): Fill {
  return fillOfValue(parseLossless(text), text);
}

/** The same of the row's JSON value. `text`: its canonical text, if that is known. */
export function fillOfValue(value: unknown, text?: string): Fill {
  const row = decodeRow(value, text);
  if ("fill" in row) {
    return row.fill;
  }
  throw new TypeError(`not the row of a fill: ${row.unfilable}`);
}

type Identifying = Pick<Fill, "matchId" | "orderId" | "txCreated">;

function isFilable<T extends { readonly [Name in keyof Identifying]: Identifying[Name] | null }>(
  fill: T,
): fill is T & Identifying {
  return isFilableId(fill.matchId) && isFilableId(fill.orderId) && fill.txCreated !== null;
}

/**
 * The unknown fields and those of the wrong type. Null: there are none. A text says why they cannot be kept.
 */
function extraOf(row: JsonRecord, misfits: ReadonlySet<string>): Fill["extra"] | string {
  let extra: (readonly [string, unknown])[] | null = null;
  for (const name of Object.keys(row)) {
    if (!KNOWN.has(name) || misfits.has(name)) {
      const value = row[name];
      if (isTooDeep(value)) {
        return `${describe(name)} is nested deeper than ${MAX_DEPTH} levels`;
      }
      extra ??= [];
      extra.push([name, settled(value)]);
    }
  }
  return extra === null ? null : Object.fromEntries(extra);
}

/** A lone surrogate would not survive UTF-8, so such a text is kept as JSON, in `extra`. */
function textOf(value: unknown): string | null {
  const text = typeof value === "string" ? value : numberText(value);
  return text?.isWellFormed() === true ? text : null;
}

function timeOf(value: unknown): number | null {
  const time = numberOf(value);
  return isTime(time) ? time : null;
}

export function isTime(value: unknown): value is number {
  return (
    typeof value === "number" && Number.isInteger(value) && value >= BEGINNING_OF_TIME_MS && value < END_OF_TIME_MS
  );
}

function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_ID_LENGTH;
}

/**
 * NUL joins the two ids of a close in matches.csv (accounting/methods/specific.ts), so an id may not contain
 * it.
 */
function isFilableId(text: string | null): text is string {
  return isId(text) && !text.includes("\0");
}

function whyUnfilable(row: JsonRecord, matchId: string | null, orderId: string | null): string {
  return (
    whyNoId("matchId", row["matchId"], matchId) ??
    whyNoId("orderId", row["orderId"], orderId) ??
    `txCreated is ${describe(row["txCreated"])}, ${whyNoTime(row["txCreated"])}`
  );
}

function whyNoTime(sent: unknown): string {
  const time = numberOf(sent);
  const isEarly = time !== null && time > 0 && time < BEGINNING_OF_TIME_MS;
  return isEarly ? "which is no time in ms since 2001: in seconds?" : "not a time in ms";
}

function whyNoId(name: string, value: unknown, text: string | null): string | null {
  const length = text?.length ?? 0;
  if (isFilableId(text)) {
    return null;
  }
  return `${name} is ${length > MAX_ID_LENGTH ? `${length} characters long` : describe(value)}, not an id`;
}
