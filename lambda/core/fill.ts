import { PackedFill } from "./fast/packed-fill.ts";
import type { FillFields, PlainFill } from "./plain-fill.ts";
import { compareText } from "./text.ts";

/** A fill for reading. `plainFill` makes one that can be copied and whose properties can be listed. */
export type Fill = PlainFill | PackedFill;

/** The interface's names of a fill's fields. `extra` keeps a value of the wrong type under them. */
export const FIELD_NAMES = {
  matchId: "matchId",
  orderId: "orderId",
  txCreated: "txCreated",
  filledAt: "filledAt",
  market: "market",
  side: "orderType",
  liquidity: "executionType",
  tradeType: "tradeType",
  fillType: "fillType",
  triggerType: "triggerType",
  transactionHash: "transactionHash",
  quantity: "quantity",
  price: "price",
  fee: "fees",
  triggerPrice: "triggerPrice",
} as const satisfies Record<Exclude<keyof FillFields, "extra">, string>;

/**
 * (`matchId`, `orderId`), as the content begins. `matchId` alone is not enough: the two orders of a
 * self-trade share it.
 */
export function identityOf(fill: Pick<Fill, "matchId" | "orderId">): string {
  return fill instanceof PackedFill ? fill.identity : JSON.stringify([fill.matchId, fill.orderId]).slice(2, -2);
}

/**
 * The time that decides the period: when the order was filled, else when the transaction was created. ms UTC.
 */
export function tradeTime(fill: Fill): number {
  return fill.filledAt ?? fill.txCreated;
}

/**
 * The order of a data file: `tx_created`, `match_id`, `order_id`. Text by code unit, so it is the same on
 * every machine.
 */
export function byTxCreated(a: Fill, b: Fill): number {
  return a.txCreated - b.txCreated || compareText(a.matchId, b.matchId) || compareText(a.orderId, b.orderId);
}

/** The order of a pack: `filled_at` (else `tx_created`), `tx_created`, `match_id`, `order_id`. */
export function byTradeTime(a: Fill, b: Fill): number {
  return tradeTime(a) - tradeTime(b) || byTxCreated(a, b);
}

/** True when all fields are equal. */
export function isSameContent(a: Fill, b: Fill): boolean {
  return a === b || contentOf(a) === contentOf(b);
}

const FIELDS = Object.keys(FIELD_NAMES) as readonly (keyof typeof FIELD_NAMES)[];

/** The fill's content as one text. Two versions have the same text exactly when all fields are equal. */
export function contentOf(fill: Fill): string {
  if (fill instanceof PackedFill && fill.extra === null) {
    return fill.contentBytes.toString("latin1");
  }
  return JSON.stringify([...FIELDS.map((field) => fill[field]), sorted(fill.extra)]);
}

/** The content for hashing: as bytes if the fill has them. */
export function hashedContentOf(fill: Fill): string | Uint8Array {
  return fill instanceof PackedFill && fill.extra === null ? fill.contentBytes : contentOf(fill);
}

/** A fill as a plain object with all properties. */
export function plainFill(fill: Fill): PlainFill {
  return fill instanceof PackedFill ? fill.plain : fill;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  if (typeof value === "object" && value !== null) {
    return Object.entries(value)
      .sort(([a], [b]) => compareText(a, b))
      .map(([key, inner]) => [key, sorted(inner)]);
  }
  return value;
}
