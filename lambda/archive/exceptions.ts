import { type Amount, ZERO } from "../core/amount.ts";
import { withNumbers } from "../core/code-points.ts";
import type { Fill } from "../core/fill.ts";
import { quoteCurrencyOf } from "../core/market.ts";
import { FILL_COLUMNS, type FillColumn, type FillRow, rowOf, TEXT_COLUMNS } from "../formats/fill-columns.ts";
import { canonicalJson } from "../formats/json.ts";

/** Something about a fill that a reader of its row must know. The fill is still exported as it came. */
export interface FillException {
  /** Name in fills.csv. */
  readonly column: string;
  readonly reason: string;
  /** The text that the service sent. Empty if it sent nothing. */
  readonly value: string;
}

/**
 * Ids are only compared and printed. These characters are harmless in every file; others point to a broken or
 * hostile source.
 */
const ID = /^[A-Za-z0-9._:-]{1,128}$/;
const MARKET = /^[A-Za-z0-9._-]{1,64}$/;
/** The interface lists all sides. A fill with another side cannot be booked. */
const SIDES: readonly string[] = ["buy", "sell"];
export const LIQUIDITIES: readonly string[] = ["maker", "taker"];

/**
 * Why exceptions.csv lists a fill. Empty for a sound fill. Any value of `fillType`, `tradeType` and
 * `triggerType` is sound: the interface shows some values and does not say that there are no others.
 */
export function exceptionsOfRow(row: FillRow): readonly FillException[] {
  const found: FillException[] = [];
  for (const column of FILL_COLUMNS) {
    const reason = reasonFor(column, row);
    if (reason !== null) {
      found.push({ column: column.name, ...reason });
    }
  }
  return found;
}

/** A number without an exponent that parseAmount reads, and one above zero. */
const NUMBER = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?$/;
const POSITIVE = /^(?=.*[1-9])(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?$/;

/** Whether exceptions.csv does not list a fill. */
export function isSound(fill: Fill): boolean {
  const { quantity, price, fee } = fill;
  const isPlain = isLike(POSITIVE, quantity) && isLike(POSITIVE, price) && isLike(NUMBER, fee);
  return (isPlain && isSoundBesides(fill)) || exceptionsOfRow(rowOf("", fill)).length === 0;
}

function isLike(pattern: RegExp, text: string | null): boolean {
  return text !== null && pattern.test(text);
}

/**
 * Whether everything but quantity, price and fee is sound. For fills whose three numbers are known to be.
 * False when in doubt.
 */
export function isSoundBesides(fill: Fill): boolean {
  return (
    isLike(NUMBER, fill.triggerPrice) &&
    fill.extra === null &&
    TEXT_COLUMNS.every(({ name, key }) => isSoundText(name, fill[key]))
  );
}

function isSoundText(column: string, text: string | null): boolean {
  return text !== null && textReason(column, text) === null;
}

interface Reason {
  readonly reason: string;
  readonly value: string;
}

function reasonFor(column: FillColumn, row: FillRow): Reason | null {
  if (column.kind === "time") {
    // An item without `filledAt` has the older form, which is sound.
    return column.value(row) === null ? wronglyTyped(column, row.fill) : null;
  }
  if (column.field === null) {
    // fillbook computed this value. Its inputs are judged by themselves.
    return null;
  }
  const text = column.kind === "decimal" ? column.text(row) : column.value(row);
  if (text === null) {
    return wronglyTyped(column, row.fill) ?? { reason: "missing", value: "" };
  }
  const reason =
    column.kind === "decimal" ? numberReason(column.name, column.value(row)) : textReason(column.name, text);
  return reason === null ? null : { reason, value: text };
}

/** The service sent another JSON type than the interface says. */
function wronglyTyped({ field, kind }: FillColumn, { extra }: Fill): Reason | null {
  if (field === null || extra === null || !Object.hasOwn(extra, field)) {
    return null;
  }
  return {
    reason: `not ${kind === "time" ? "a time in milliseconds" : "text"}, which the venue's interface specifies`,
    value: canonicalJson(extra[field]),
  };
}

function numberReason(column: string, amount: Amount | null): string | null {
  if (amount === null) {
    return "not a decimal number with at most 20 digits before and 18 after the point; its exact text is in extra";
  }
  // No accounts can be kept of a fill without a quantity, or with a price below zero. The side says buy or
  // sell, not the sign.
  if (column === "price") {
    return amount.lt(ZERO) ? "less than zero" : null;
  }
  return column === "quantity" && amount.lte(ZERO) ? "not greater than zero" : null;
}

function textReason(column: string, text: string): string | null {
  switch (column) {
    case "side":
      return SIDES.includes(text) ? null : "neither buy nor sell";
    case "liquidity":
      return LIQUIDITIES.includes(text) ? null : "neither maker nor taker";
    case "market":
      return marketReason(text);
    case "order_id":
    case "match_id":
      return ID.test(text) ? null : "not an identifier of 1 to 128 letters, digits and . _ : -";
    default:
      return null;
  }
}

function marketReason(text: string): string | null {
  if (!MARKET.test(text)) {
    const named = withNumbers(text) === text ? "" : `: ${withNumbers(text)}`;
    return `not a market name of 1 to 64 letters, digits and . _ -${named}`;
  }
  return quoteCurrencyOf(text) === null ? "not of the form <BASE>-<QUOTE>, so the fee currency is not known" : null;
}
