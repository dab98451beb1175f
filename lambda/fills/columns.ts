import { type Decimal, multiply, type Product, parseDecimal } from "../core/decimal.ts";
import type { Fill } from "../core/fill.ts";
import { quoteCurrencyOf } from "../core/market.ts";
import { isoTime, isoTimes } from "../core/time.ts";

/** A fill with its numbers read, ready to be written as one row of any format. */
export interface FillRow {
  readonly account: string;
  readonly fill: Fill;
  /** Null when there is none, or when its text is not a decimal that fits DECIMAL(38,18). */
  readonly quantity: Decimal | null;
  readonly price: Decimal | null;
  readonly fee: Decimal | null;
  readonly triggerPrice: Decimal | null;
  /** Null when price or quantity is. */
  readonly notional: Product | null;
}

/** A column of fills.csv and fills.parquet. */
export type FillColumn = {
  readonly name: string;
  readonly description: string;
  /** The interface's name of the field; null for what fillbook adds. */
  readonly field: string | null;
  /** No fill is without it. */
  readonly required?: boolean;
  /** Values repeat within thousands of rows. */
  readonly repeats?: boolean;
} & (
  | { readonly kind: "text"; readonly value: (row: FillRow) => string | null }
  /** ms UTC */
  | { readonly kind: "time"; readonly value: (row: FillRow) => number | null }
  | {
      readonly kind: "decimal";
      /** × 10^18 */
      readonly value: (row: FillRow) => bigint | null;
      /** The exact text, also of what has no value. */
      readonly text: (row: FillRow) => string | null;
    }
);

/** The contract's columns, in its order. */
export const FILL_COLUMNS: readonly FillColumn[] = [
  {
    name: "filled_at",
    kind: "time",
    field: "filledAt",
    description: "When the fill happened, UTC. Empty where the service did not say; then tx_created stands for it.",
    value: ({ fill }) => fill.filledAt,
  },
  {
    name: "tx_created",
    kind: "time",
    field: "txCreated",
    required: true,
    description: "When the transaction was created, UTC.",
    value: ({ fill }) => fill.txCreated,
  },
  {
    name: "account",
    kind: "text",
    field: null,
    required: true,
    repeats: true,
    description: "The label of the account in fillbook.",
    value: ({ account }) => account,
  },
  {
    name: "market",
    kind: "text",
    field: "market",
    repeats: true,
    description: "Market name, <BASE>-<QUOTE>.",
    value: ({ fill }) => fill.market,
  },
  {
    name: "side",
    kind: "text",
    field: "orderType",
    repeats: true,
    description: "buy or sell.",
    value: ({ fill }) => fill.side,
  },
  {
    name: "quantity",
    kind: "decimal",
    field: "quantity",
    description: "Executed quantity, in the base of the market.",
    value: ({ quantity }) => quantity?.units ?? null,
    text: ({ fill }) => fill.quantity,
  },
  {
    name: "price",
    kind: "decimal",
    field: "price",
    description: "Execution price, in the quote currency.",
    value: ({ price }) => price?.units ?? null,
    text: ({ fill }) => fill.price,
  },
  {
    name: "notional",
    kind: "decimal",
    field: null,
    description: "price × quantity, exact, without trailing zeros.",
    value: ({ notional }) => notional?.units ?? null,
    text: ({ notional }) => notional?.text ?? null,
  },
  {
    name: "fee",
    kind: "decimal",
    field: "fees",
    description: "Fee of the fill. Positive is read as paid, negative as a rebate: the service does not say.",
    value: ({ fee }) => fee?.units ?? null,
    text: ({ fill }) => fill.fee,
  },
  {
    name: "fee_currency",
    kind: "text",
    field: null,
    repeats: true,
    description: "Assumed to be the quote currency of the market: the service does not say.",
    value: ({ fill }) => quoteCurrencyOf(fill.market),
  },
  {
    name: "liquidity",
    kind: "text",
    field: "executionType",
    repeats: true,
    description: "maker or taker.",
    value: ({ fill }) => fill.liquidity,
  },
  {
    name: "trade_type",
    kind: "text",
    field: "tradeType",
    repeats: true,
    description: "Type of the order: limit, market, or as the service calls it.",
    value: ({ fill }) => fill.tradeType,
  },
  {
    name: "fill_type",
    kind: "text",
    field: "fillType",
    repeats: true,
    description: "Kind of fill as the service calls it.",
    value: ({ fill }) => fill.fillType,
  },
  {
    name: "trigger_type",
    kind: "text",
    field: "triggerType",
    repeats: true,
    description: "Kind of trigger as the service calls it; none without one.",
    value: ({ fill }) => fill.triggerType,
  },
  {
    name: "trigger_price",
    kind: "decimal",
    field: "triggerPrice",
    repeats: true,
    description: "Trigger price; 0 without a trigger.",
    value: ({ triggerPrice }) => triggerPrice?.units ?? null,
    text: ({ fill }) => fill.triggerPrice,
  },
  {
    name: "order_id",
    kind: "text",
    field: "orderId",
    required: true,
    repeats: true,
    description: "The order that was filled.",
    value: ({ fill }) => fill.orderId,
  },
  {
    name: "match_id",
    kind: "text",
    field: "matchId",
    required: true,
    description: "The match; with order_id it identifies the fill.",
    value: ({ fill }) => fill.matchId,
  },
  {
    name: "transaction_hash",
    kind: "text",
    field: "transactionHash",
    repeats: true,
    description: "Hash of the transaction, hexadecimal.",
    value: ({ fill }) => fill.transactionHash,
  },
];

export function rowOf(account: string, fill: Fill): FillRow {
  const quantity = read(fill.quantity);
  const price = read(fill.price);
  return {
    account,
    fill,
    quantity,
    price,
    fee: read(fill.fee),
    triggerPrice: read(fill.triggerPrice),
    notional: price === null || quantity === null ? null : multiply(price, quantity),
  };
}

/** The cells of fills.csv, row by row: numbers as the service wrote them, times as ISO 8601 UTC with milliseconds. */
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

function read(text: string | null): Decimal | null {
  if (text === "0") {
    return ZERO; // most trigger prices
  }
  return text === null ? null : parseDecimal(text);
}

const ZERO = parseDecimal("0");
