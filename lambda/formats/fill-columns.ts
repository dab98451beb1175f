import { type Amount, fitsCell, parseAmount, plainText } from "../core/amount.ts";
import { quoteCurrencyOf } from "../core/currency.ts";
import { FIELD_NAMES, type Fill } from "../core/fill.ts";
import { isoTime, isoTimes } from "../core/time.ts";
import { canonicalJson } from "./json.ts";
import type { ColumnValue } from "./parquet.ts";

/** A fill with its numbers read, ready to be written as one row of any format. */
export interface FillRow {
  readonly account: string;
  readonly fill: Fill;
  /** Null if there is none, or if the text is not a decimal that fits DECIMAL(38,18). */
  readonly quantity: Amount | null;
  readonly price: Amount | null;
  readonly fee: Amount | null;
  readonly triggerPrice: Amount | null;
  /** Null if the price or the quantity is. */
  readonly notional: Amount | null;
}

/** A column of fills.csv and fills.parquet. */
export type FillColumn = {
  readonly name: string;
  readonly description: string;
  /** The interface's name of the field. Null for columns that fillbook adds. */
  readonly field: string | null;
  /** True: every fill has a value. */
  readonly required?: boolean;
  /** True: the values are alike only by chance. */
  readonly isRandom?: boolean;
} & (
  | {
      readonly kind: "text";
      /** The fill's own key. Null for columns that fillbook adds. */
      readonly key: TextKey | null;
      readonly value: (row: FillRow) => string | null;
    }
  /** ms UTC */
  | { readonly kind: "time"; readonly key: TimeKey; readonly value: (row: FillRow) => number | null }
  | {
      readonly kind: "decimal";
      /** The fill's own key. Null for columns that fillbook adds. */
      readonly key: DecimalKey | null;
      /** Null: there is none, or it does not fit DECIMAL(38,18). */
      readonly value: (row: FillRow) => Amount | null;
      /** The exact text, even if there is no value. */
      readonly text: (row: FillRow) => string | null;
    }
);

type TimeKey = "filledAt" | "txCreated";
type DecimalKey = "quantity" | "price" | "fee" | "triggerPrice";
type TextKey = Exclude<keyof typeof FIELD_NAMES, TimeKey | DecimalKey>;
type More = Pick<FillColumn, "required" | "isRandom">;

function timeColumn(name: string, key: TimeKey, description: string, more: More = {}): FillColumn {
  return { name, kind: "time", field: FIELD_NAMES[key], ...more, description, key, value: ({ fill }) => fill[key] };
}

function textColumn(name: string, key: TextKey, description: string, more: More = {}): FillColumn {
  return { name, kind: "text", field: FIELD_NAMES[key], ...more, description, key, value: ({ fill }) => fill[key] };
}

function decimalColumn(name: string, key: DecimalKey, description: string, more: More = {}): FillColumn {
  return {
    name,
    kind: "decimal",
    field: FIELD_NAMES[key],
    ...more,
    description,
    key,
    value: (row) => row[key],
    text: ({ fill }) => plain(fill[key]),
  };
}

/** A column that fillbook adds. */
function addedColumn(
  name: string,
  value: (row: FillRow) => string | null,
  description: string,
  more: More = {},
): FillColumn {
  return { name, kind: "text", field: null, ...more, description, key: null, value };
}

/** The contract's columns, in its order. */
export const FILL_COLUMNS: readonly FillColumn[] = [
  timeColumn(
    "filled_at",
    "filledAt",
    "Time of the fill, UTC. Empty if the venue did not state it; tx_created is used instead.",
  ),
  timeColumn("tx_created", "txCreated", "Time at which the transaction was created, UTC.", { required: true }),
  addedColumn("account", ({ account }) => account, "Name of the account in fillbook.", { required: true }),
  textColumn("market", "market", "Market name, <BASE>-<QUOTE>."),
  textColumn("side", "side", "buy or sell."),
  decimalColumn("quantity", "quantity", "Executed quantity, in the base currency of the market."),
  decimalColumn("price", "price", "Execution price, in the quote currency."),
  {
    name: "notional",
    kind: "decimal",
    field: null,
    description: "price × quantity, exact, without trailing zeros.",
    key: null,
    value: ({ notional }) => (notional !== null && fitsCell(notional) ? notional : null),
    text: ({ notional }) => notional?.toString() ?? null,
  },
  decimalColumn(
    "fee",
    "fee",
    "Fee of the fill. The venue does not state the sign: a positive fee is treated as paid, a negative fee as a rebate.",
  ),
  addedColumn(
    "fee_currency",
    ({ fill }) => quoteCurrencyOf(fill.market),
    "Currency of the fee. The venue does not state it: assumed to be the quote currency of the market.",
  ),
  textColumn("liquidity", "liquidity", "maker or taker."),
  textColumn("trade_type", "tradeType", "Type of the order: limit, market, or the venue's own term."),
  textColumn("fill_type", "fillType", "Kind of fill, in the venue's own term."),
  textColumn("trigger_type", "triggerType", "Kind of trigger, in the venue's own term. none: there is no trigger."),
  decimalColumn("trigger_price", "triggerPrice", "Trigger price. 0: there is no trigger."),
  textColumn("order_id", "orderId", "ID of the order that was filled.", { required: true }),
  textColumn("match_id", "matchId", "ID of the match. match_id and order_id together identify the fill.", {
    required: true,
    isRandom: true,
  }),
  textColumn("transaction_hash", "transactionHash", "Hash of the transaction, hexadecimal.", { isRandom: true }),
];

/** The contract's columns and `extra`: the columns of fills.parquet and of `table/`. */
export const CELL_COLUMNS: readonly FillColumn[] = [
  ...FILL_COLUMNS,
  addedColumn(
    "extra",
    extraCell,
    "JSON of values that do not fit the columns: unknown fields and fields of an unexpected type, under the venue's names, and the exact text of values whose cell is empty or not exact.",
  ),
];

/** The row's cell in each column. */
export function cellsOf(row: FillRow, columns: readonly FillColumn[]): readonly ColumnValue[] {
  return columns.map(({ value }) => value(row));
}

export function rowOf(account: string, fill: Fill): FillRow {
  const triggerPrice = parseAmount(fill.triggerPrice);
  const quantity = parseAmount(fill.quantity);
  const price = parseAmount(fill.price);
  const notional = price === null || quantity === null ? null : price.times(quantity);
  return { account, fill, quantity, price, fee: parseAmount(fill.fee), triggerPrice, notional };
}

/**
 * The cells of fills.csv, row by row: numbers as the service wrote them, times as ISO 8601 UTC with
 * milliseconds.
 */
export function csvCells(): (row: FillRow) => (string | null)[] {
  const cells = FILL_COLUMNS.map((column) => csvCellOf(column, isoTimes()));
  return (row) => cells.map((cellOf) => cellOf(row));
}

/** The cell of one column. */
export function csvCell(column: FillColumn, row: FillRow): string | null {
  return csvCellOf(column, isoTime)(row);
}

function csvCellOf(column: FillColumn, timeText: (ms: number) => string): (row: FillRow) => string | null {
  switch (column.kind) {
    case "text":
      return column.value;
    case "decimal":
      return column.text;
    case "time":
      return (row) => {
        const time = column.value(row);
        return time === null ? null : timeText(time);
      };
  }
}

function plain(text: string | null): string | null {
  return text === null ? null : plainText(text);
}

/**
 * The `extra` cell: what the columns cannot hold, as a JSON object. Null if there is nothing. It holds
 * unknown fields and fields of the wrong type under the service's names, and the exact text of every number
 * that does not fit its type: its cell is null.
 */
function extraCell(row: FillRow): string | null {
  const { extra } = row.fill;
  const texts: (readonly [string, string])[] = [];
  for (const column of FILL_COLUMNS) {
    const text = exactText(column, row);
    if (text !== null) {
      texts.push([keyFor(extra, column.field ?? column.name), text]);
    }
  }
  return extra === null && texts.length === 0 ? null : canonicalJson({ ...extra, ...Object.fromEntries(texts) });
}

/** The number that the column's cell cannot hold. Null if the cell holds everything. */
export function exactText(column: FillColumn, row: FillRow): string | null {
  return column.kind === "decimal" && column.value(row) === null ? column.text(row) : null;
}

/**
 * The column's name. If the service sent a field of that name, underscores are added, so that neither is
 * lost.
 */
function keyFor(extra: Readonly<Record<string, unknown>> | null, name: string): string {
  return extra !== null && Object.hasOwn(extra, name) ? keyFor(extra, `${name}_`) : name;
}
