import { FillbookError } from "../core/errors.ts";
import { describe, isJsonRecord, numberOf, numberText } from "../formats/json.ts";
import { decodeRow } from "../formats/row.ts";
import { parseJson } from "./json.ts";
import type { DecodedPage } from "./service.ts";

export const COMPLETED_ORDERS = "completed-orders";

/** What fits into a URL. A cursor is sent back exactly as it came. */
const MAX_CURSOR_LENGTH = 8192;

/**
 * Decodes a page of completed orders (service-interface, 4.2).
 * @throws FillbookError `incomplete` if the body is not a page (cut, not JSON, an error under status 200):
 * another answer may be. `untrusted` if it breaks the interface.
 */
export function decodePage(body: string): DecodedPage {
  const { rows, last } = readPage(parseJson(COMPLETED_ORDERS, body));
  return { rows: rows.map((row) => decodeRow(row)), ...cursor(last) };
}

function readPage(value: unknown): { rows: readonly unknown[]; last: unknown } {
  const { completedOrders: sent, last, statusCode, error } = isJsonRecord(value) ? value : {};
  const says = messageIn(value);
  const isError = (numberOf(statusCode) ?? 0) >= 400 || (typeof error === "string" && error !== "");
  const rows = sent === null && says === "" ? [] : sent; // some languages write an empty list as null
  if (isError || !(isJsonRecord(value) && Array.isArray(rows))) {
    const what = isJsonRecord(value) ? `completedOrders is ${describe(rows)}` : `the answer is ${describe(value)}`;
    const why = isError ? "the answer is an error" : `${what}, not a page of orders`;
    throw new FillbookError("incomplete", `${COMPLETED_ORDERS}: ${why}${says}`);
  }
  return { rows, last };
}

function messageIn(value: unknown): string {
  const { message, error, body } = isJsonRecord(value) ? value : {};
  const text = message ?? error ?? body;
  return typeof text === "string" ? `; the service says ${describe(text)}` : "";
}

/** Null means the same as an absent field. `""` and `"0"` are cursors. */
function cursor(last: unknown): { last?: string } {
  if (last === undefined || last === null) {
    return {};
  }
  const text = numberText(last) ?? last;
  if (typeof text !== "string") {
    throw new FillbookError("untrusted", `${COMPLETED_ORDERS}: last is ${describe(last)}, not a text`);
  }
  if (text.length > MAX_CURSOR_LENGTH || !text.isWellFormed()) {
    const what = text.isWellFormed() ? `${text.length} characters long` : "not well-formed Unicode";
    throw new FillbookError("untrusted", `${COMPLETED_ORDERS}: last cannot be used as a cursor: it is ${what}`);
  }
  return { last: text };
}
