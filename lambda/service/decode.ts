import { FillbookError } from "../core/errors.ts";
import { PACKED_FIELDS } from "../core/fast/packed-fill.ts";
import { FIELD_NAMES, type Fill, identityOf } from "../core/fill.ts";
import { notedRows } from "../core/versions.ts";
import { PageScanner } from "./fast/scan.ts";
import { describe, isJsonRecord, numberText, parseJson } from "./json.ts";
import { COMPLETED_ORDERS, decodeRow, MAX_CURSOR_LENGTH } from "./row.ts";
import type { DecodedPage, PageRow } from "./service.ts";

/**
 * Decodes a page of completed orders (service-interface, 4.2). The usual page is read from its bytes
 * (fast/scan.ts). In other pages, each row is read field by field. It reads one page after another in memory
 * that it keeps.
 */
export class PageDecoder {
  readonly #scanner = new PageScanner();

  /**
   * @throws FillbookError `incomplete` if the body is not a page (cut, not JSON, an error under status 200):
   * another answer may be. `untrusted` if it breaks the interface.
   */
  decode(body: string): DecodedPage {
    const page = this.#scanner.scan(body) ?? this.#parsed(body);
    const fills = fillsOf(page.rows);
    const isOfEachOnce = new Set(fills.map(identityOf)).size === fills.length;
    return isOfEachOnce ? page : { ...page, rows: withVersionsNoted(page.rows, fills) };
  }

  #parsed(body: string): DecodedPage {
    const page = parsedPage(body);
    return { ...page, rows: this.#packed(page.rows) ?? page.rows };
  }

  /**
   * The same rows in a third of the memory, packed as a usual page would be. Null: a row has a field that a
   * usual page cannot have.
   */
  #packed(rows: readonly PageRow[]): readonly PageRow[] | null {
    const fills = fillsOf(rows);
    if (fills.length < rows.length) {
      return null;
    }
    const extras = fills.some(({ extra }) => extra !== null) ? fills.map(({ extra }) => extra) : null;
    return this.#scanner.scan(JSON.stringify({ completedOrders: fills.map(wireOf) }), extras)?.rows ?? null;
  }
}

function fillsOf(rows: readonly PageRow[]): readonly Fill[] {
  return rows.flatMap((row) => ("fill" in row ? [row.fill] : []));
}

/**
 * A page is one moment of the service. Two versions on one page are not a change in time, as they may be on
 * two pages.
 */
function withVersionsNoted(rows: readonly PageRow[], fills: readonly Fill[]): readonly PageRow[] {
  const noted = notedRows(fills)?.values();
  return noted === undefined
    ? rows
    : rows.map((row) => ("fill" in row ? { fill: noted.next().value ?? row.fill } : row));
}

function parsedPage(body: string): DecodedPage {
  const { rows, last } = readPage(parseJson(COMPLETED_ORDERS, body));
  return { rows: rows.map(decodeRow), ...cursor(last) };
}

/** A fill as the interface writes its row, without null fields. */
function wireOf(fill: Fill): object {
  const row: Record<string, unknown> = {};
  for (const name of PACKED_FIELDS) {
    row[FIELD_NAMES[name]] = fill[name] ?? undefined;
  }
  return row;
}

function readPage(value: unknown): { rows: readonly unknown[]; last: unknown } {
  const rows = isJsonRecord(value) ? value["completedOrders"] : undefined;
  if (!(isJsonRecord(value) && Array.isArray(rows))) {
    const what = isJsonRecord(value) ? `completedOrders is ${describe(rows)}` : `the answer is ${describe(value)}`;
    throw new FillbookError("incomplete", `${COMPLETED_ORDERS}: ${what}, not a page of orders${messageIn(value)}`);
  }
  return { rows, last: value["last"] };
}

function messageIn(value: unknown): string {
  const message = isJsonRecord(value) ? (value["message"] ?? value["error"]) : undefined;
  return typeof message === "string" ? `; the service says ${describe(message)}` : "";
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
