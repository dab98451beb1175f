import { createHash } from "node:crypto";

// A row of a data file, and the fill as the service sent it: docs/archive-format.md, "Data files". This file
// imports nothing from lambda/.

/** Numbers are text with 18 digits after the point; times are in ms. */
export interface DataFileRow {
  readonly filled_at: string | null;
  readonly tx_created: string;
  readonly market: string | null;
  readonly side: string | null;
  readonly quantity: string | null;
  readonly price: string | null;
  readonly notional: string | null;
  readonly fee: string | null;
  readonly liquidity: string | null;
  readonly trade_type: string | null;
  readonly fill_type: string | null;
  readonly trigger_type: string | null;
  readonly trigger_price: string | null;
  readonly order_id: string;
  readonly match_id: string;
  readonly transaction_hash: string | null;
  readonly extra: string | null;
  readonly digits: number;
}

export interface Fill {
  readonly txCreated: number;
  readonly tradeTime: number;
  /** matchId, orderId, txCreated, … extra: the fields that its hash covers. */
  readonly content: readonly unknown[];
}

const IN_EXTRA = 31;
const NO_OWN_EXTRA = 2 ** 24;

export function fillOfRow(row: DataFileRow): Fill {
  const kept = new Map<string, unknown>(Object.entries(row.extra === null ? {} : JSON.parse(row.extra)));
  const text = (cell: string | null, field: string) => (cell?.includes("\uFFFD") === true ? taken(kept, field) : cell);
  const texts = [
    text(row.market, "market"),
    text(row.side, "orderType"),
    text(row.liquidity, "executionType"),
    text(row.trade_type, "tradeType"),
    text(row.fill_type, "fillType"),
    text(row.trigger_type, "triggerType"),
    text(row.transaction_hash, "transactionHash"),
  ];
  const ids = [text(row.match_id, "matchId"), text(row.order_id, "orderId")];
  const number = (cell: string | null, field: string, at: number) => {
    const digits = Math.floor(row.digits / 32 ** at) % 32;
    if (digits === IN_EXTRA) {
      return taken(kept, field);
    }
    const isNegativeZero = Math.floor(row.digits / 2 ** (20 + at)) % 2 === 1;
    return cell === null ? null : (isNegativeZero ? "-" : "") + withDigits(cell, digits);
  };
  const numbers = [
    number(row.quantity, "quantity", 0),
    number(row.price, "price", 1),
    number(row.fee, "fees", 2),
    number(row.trigger_price, "triggerPrice", 3),
  ];
  if (row.notional === null && row.quantity !== null && row.price !== null) {
    taken(kept, "notional");
  }
  const txCreated = Number(row.tx_created);
  const filledAt = row.filled_at === null ? null : Number(row.filled_at);
  const hasOwn = Math.floor(row.digits / NO_OWN_EXTRA) % 2 === 0;
  const extra = hasOwn ? asArrays(Object.fromEntries(kept)) : null;
  const content = [...ids, txCreated, filledAt, ...texts, ...numbers, extra];
  return { txCreated, tradeTime: filledAt ?? txCreated, content };
}

/** "1.500000000000000000" with 2 digits is "1.50". */
function withDigits(cell: string, digits: number): string {
  return cell.slice(0, digits === 0 ? -19 : digits - 18 || undefined);
}

/** The longest of the names that are the field's name plus underscores. */
function taken(kept: Map<string, unknown>, field: string): unknown {
  const name = [...kept.keys()]
    .filter((one) => one.startsWith(field) && /^_*$/.test(one.slice(field.length)))
    .sort((a, b) => a.length - b.length)
    .at(-1);
  if (name === undefined) {
    throw new Error(`extra has no text of ${field}`);
  }
  const text = kept.get(name);
  kept.delete(name);
  return text;
}

function asArrays(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(asArrays);
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.map(([name, inner]) => [name, asArrays(inner)]);
  }
  return value;
}

export function setHashOf(fills: readonly Fill[]): string {
  let sum = 0n;
  for (const { content } of fills) {
    const digest = createHash("sha256").update(JSON.stringify(content)).digest("hex");
    sum = (sum + BigInt(`0x${digest}`)) % 2n ** 256n;
  }
  return sum.toString(16).padStart(64, "0");
}
