import { FIELD_NAMES } from "../core/fill.ts";
import type { FillFields, PlainFill } from "../core/plain-fill.ts";
import { describe, isJsonRecord, type JsonRecord, MAX_DEPTH, NumberText, settle } from "./json.ts";
import type { PageRow } from "./service.ts";

/** One completed order item (service-interface, 2.2) as a fill. */
export const COMPLETED_ORDERS = "completed-orders";

export const MAX_ID_LENGTH = 256;
/** What fits a URL; a cursor is sent back as it came. */
export const MAX_CURSOR_LENGTH = 8192;
/** 2001-09-09: what is less is no time in ms of a trade, and most likely one in seconds, which would be of 1970. */
const BEGINNING_OF_TIME_MS = 1_000_000_000_000;
/** 9999-12-01: the month after it ends where ISO 8601 needs a fifth digit of the year, and names of parts are made of both ends. */
const END_OF_TIME_MS = 253_399_622_400_000;

type Field = (typeof FIELD_NAMES)[keyof typeof FIELD_NAMES];

const KNOWN: ReadonlySet<string> = new Set(Object.values(FIELD_NAMES));

/**
 * A row, field by field: what is not of its type goes to `extra`, except that a JSON null says as little as an absent field. A number where
 * text is expected is its source text. null: the row must be parsed with the source text of its numbers.
 */
export function decodeRow(row: unknown): PageRow | null {
  if (!isJsonRecord(row)) {
    return { unfilable: `the row is ${describe(row)}, not an object` };
  }
  const reader = fieldReader(row);
  const fill = {
    matchId: reader.text("matchId"),
    orderId: reader.text("orderId"),
    txCreated: timeOf(row["txCreated"]),
    filledAt: reader.time("filledAt"),
    market: reader.text("market"),
    side: reader.text("orderType"),
    liquidity: reader.text("executionType"),
    tradeType: reader.text("tradeType"),
    fillType: reader.text("fillType"),
    triggerType: reader.text("triggerType"),
    transactionHash: reader.text("transactionHash"),
    quantity: reader.text("quantity"),
    price: reader.text("price"),
    fee: reader.text("fees"),
    triggerPrice: reader.text("triggerPrice"),
    extra: null as FillFields["extra"],
  };
  const { matchId, orderId, txCreated } = fill;
  if (reader.needsSource() || (txCreated === null && typeof row["txCreated"] === "number")) {
    return null;
  }
  if (!isFilable(fill)) {
    return { unfilable: whyUnfilable(row, matchId, orderId), ...(txCreated === null ? {} : { at: txCreated }) };
  }
  const extra = extraOf(row, reader.misfits);
  if (extra === "needsSource") {
    return null;
  }
  if (typeof extra === "string") {
    return { unfilable: extra, at: fill.txCreated };
  }
  fill.extra = extra;
  return { fill };
}

type Identifying = Pick<PlainFill, "matchId" | "orderId" | "txCreated">;

function isFilable<T extends { readonly [Name in keyof Identifying]: Identifying[Name] | null }>(
  fill: T,
): fill is T & Identifying {
  return isFilableId(fill.matchId) && isFilableId(fill.orderId) && fill.txCreated !== null;
}

function fieldReader(row: JsonRecord) {
  const misfits: Field[] = [];
  let needsSource = false;
  return {
    misfits: misfits as readonly Field[],
    needsSource: () => needsSource,
    text(name: Field): string | null {
      const value = row[name];
      if (typeof value === "number") {
        needsSource = true;
        return null;
      }
      return keep(name, value, textOf(value));
    },
    time(name: Field): number | null {
      return keep(name, row[name], timeOf(row[name]));
    },
  };

  function keep<T>(name: Field, value: unknown, typed: T | null): T | null {
    if (typed === null && value !== undefined && value !== null) {
      misfits.push(name);
    }
    return typed;
  }
}

/** The unknown fields and those named; null when there are none, a text that says why they cannot be kept. */
function extraOf(
  row: JsonRecord,
  misfits: readonly Field[],
): FillFields["extra"] | "needsSource" | `${string} is nested ${string}` {
  const extra: [string, unknown][] = [];
  for (const name of Object.keys(row)) {
    if (KNOWN.has(name) && !misfits.includes(name as Field)) {
      continue;
    }
    const kept = settle(row[name]);
    if (kept === "needsSource") {
      return kept;
    }
    if (kept === "tooDeep") {
      return `${describe(name)} is nested deeper than ${MAX_DEPTH} levels`;
    }
    extra.push([name, kept.data]);
  }
  return extra.length === 0 ? null : Object.fromEntries(extra);
}

/** Half of a surrogate pair would not survive UTF-8: such a text is kept as JSON, in `extra`. */
function textOf(value: unknown): string | null {
  if (value instanceof NumberText) {
    return value.text;
  }
  return typeof value === "string" && value.isWellFormed() ? value : null;
}

function timeOf(value: unknown): number | null {
  const time = value instanceof NumberText ? value.value : value;
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

/** NUL joins the two ids by which matches.csv names a close (accounting/methods/specific.ts). */
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
  const time = sent instanceof NumberText ? sent.value : sent;
  const isEarly = typeof time === "number" && time > 0 && time < BEGINNING_OF_TIME_MS;
  return isEarly ? "which is no time in ms since 2001: in seconds?" : "not a time in ms";
}

function whyNoId(name: string, value: unknown, text: string | null): string | null {
  const length = text?.length ?? 0;
  if (isFilableId(text)) {
    return null;
  }
  return `${name} is ${length > MAX_ID_LENGTH ? `${length} characters long` : describe(value)}, not an id`;
}
