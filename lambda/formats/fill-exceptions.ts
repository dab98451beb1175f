import { parseAmount, plainText } from "../core/amount.ts";
import { withNumbers } from "../core/code-points.ts";
import { quoteCurrencyOf } from "../core/currency.ts";
import type { Fill } from "../core/fill.ts";
import { FILL_COLUMNS, type FillColumn } from "./fill-columns.ts";
import { canonicalJson } from "./json.ts";

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
/** Most numbers: without an exponent. parseAmount reads them. */
const USUAL = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?$/;

/**
 * Why exceptions.csv lists a fill. Empty for a sound fill. Any value of `fillType`, `tradeType` and
 * `triggerType` is sound: the interface shows some values and does not say that there are no others.
 */
export function exceptionsOf(fill: Fill): readonly FillException[] {
  return SENT.map((column) => exceptionIn(column, fill)).filter((one) => one !== null);
}

/** Without those that fillbook computes: their inputs are judged by themselves. */
const SENT = FILL_COLUMNS.flatMap(({ name, kind, field, key }) =>
  field === null || key === null ? [] : [{ column: name, kind, field, key }],
);

function exceptionIn({ column, kind, field, key }: (typeof SENT)[number], fill: Fill): FillException | null {
  const sent = fill[key];
  if (sent === null) {
    return missing(column, kind, fill.extra?.[field]);
  }
  if (typeof sent !== "string") {
    return null; // a time
  }
  const reason = (kind === "text" ? textReason : numberReason)(column, sent);
  return reason === null ? null : { column, reason, value: kind === "text" ? sent : plainText(sent) };
}

/** `sent`: a value of another JSON type than the interface says. */
function missing(column: string, kind: FillColumn["kind"], sent: unknown): FillException | null {
  if (sent === undefined) {
    // An item without `filledAt` has the older form, which is sound.
    return kind === "time" ? null : { column, reason: "missing", value: "" };
  }
  const type = kind === "time" ? "a time in milliseconds" : "text";
  return { column, reason: `not ${type}, which the venue's interface specifies`, value: canonicalJson(sent) };
}

function numberReason(column: string, text: string): string | null {
  if (!USUAL.test(text) && parseAmount(text) === null) {
    return "not a decimal number with at most 20 digits before and 18 after the point; its exact text is in extra";
  }
  // No accounts can be kept of a fill without a quantity, or with a price below zero. The side says buy or
  // sell, not the sign.
  if (column === "price") {
    return text.startsWith("-") && !isZero(text) ? "less than zero" : null;
  }
  return column === "quantity" && (text.startsWith("-") || isZero(text)) ? "not greater than zero" : null;
}

function isZero(text: string): boolean {
  return !/^[^eE]*[1-9]/.test(text);
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
