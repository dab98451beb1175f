import { PackedFill } from "./fast/packed-fill.ts";
import type { FillFields, PlainFill } from "./plain-fill.ts";
import { compareText } from "./text.ts";

/** To be read. `plainFill` makes one that may be copied, and gone through by its properties. */
export type Fill = PlainFill | PackedFill;

/** The interface's names of a fill's fields. `extra` keeps a wrongly typed value under them. */
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

/** (`matchId`, `orderId`), as the content begins with them: a self-trade shares its `matchId` across two orders. */
export function identityOf(fill: Pick<Fill, "matchId" | "orderId">): string {
  return fill instanceof PackedFill ? fill.identity : JSON.stringify([fill.matchId, fill.orderId]).slice(2, -2);
}

/** The time that a period goes by: when it was filled, or else when its transaction was created. ms UTC. */
export function tradeTime(fill: Fill): number {
  return fill.filledAt ?? fill.txCreated;
}

/** Order of an archive part: `tx_created`, `match_id`, `order_id`. Text by code unit, the same on every machine. */
export function byTxCreated(a: Fill, b: Fill): number {
  return a.txCreated - b.txCreated || compareText(a.matchId, b.matchId) || compareText(a.orderId, b.orderId);
}

/** Order of a pack: `filled_at` or else `tx_created`, `tx_created`, `match_id`, `order_id`. */
export function byTradeTime(a: Fill, b: Fill): number {
  return tradeTime(a) - tradeTime(b) || byTxCreated(a, b);
}

/** Whether no field differs. */
export function isSameContent(a: Fill, b: Fill): boolean {
  return a === b || contentOf(a) === contentOf(b);
}

const FIELDS = Object.keys(FIELD_NAMES) as readonly (keyof typeof FIELD_NAMES)[];

/** The fill's content as one text, equal for two versions exactly when no field differs. */
export function contentOf(fill: Fill): string {
  if (fill instanceof PackedFill && fill.extra === null) {
    return fill.contentBytes.toString("latin1");
  }
  return JSON.stringify([...FIELDS.map((field) => fill[field]), sorted(fill.extra)]);
}

/** The same to be hashed: as bytes where these are there already. */
export function hashedContentOf(fill: Fill): string | Uint8Array {
  return fill instanceof PackedFill && fill.extra === null ? fill.contentBytes : contentOf(fill);
}

/** With all properties its own, for what goes through them. */
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
