import { compareText } from "./text.ts";

/**
 * A fill: one element of `completedOrders` (service-interface, 2.2), in the one shape that it has in memory.
 * Amounts keep the service's text. If a field is absent or has the wrong JSON type, it is null here, and
 * `extra` keeps its value under the interface's name. A number in place of text is kept as it was written.
 */
export interface Fill {
  readonly matchId: string;
  readonly orderId: string;
  /** ms UTC. Decides to which window the fill belongs. */
  readonly txCreated: number;
  /** ms UTC. Null in the older form of the item. */
  readonly filledAt: number | null;
  readonly market: string | null;
  /** `orderType`: buy, sell, or a value that the interface does not list. */
  readonly side: string | null;
  /** `executionType`: maker, taker. */
  readonly liquidity: string | null;
  readonly tradeType: string | null;
  readonly fillType: string | null;
  readonly triggerType: string | null;
  readonly transactionHash: string | null;
  readonly quantity: string | null;
  readonly price: string | null;
  /** `fees`. We read a positive one as paid and a negative one as a rebate; the interface does not say. */
  readonly fee: string | null;
  readonly triggerPrice: string | null;
  /** Unknown fields and fields of the wrong type, by the interface's names. Null if there are none. */
  readonly extra: Readonly<Record<string, unknown>> | null;
  /** The whole row as the service sent it: canonical JSON, numbers with the digits that the service wrote. */
  readonly row: string;
  /** Why the user declares it. Absent: it is a fill of the service. */
  readonly declared?: string;
}

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
} as const satisfies Record<Exclude<keyof Fill, "extra" | "row" | "declared">, string>;

type Identified = Pick<Fill, "matchId" | "orderId">;

/** (`matchId`, `orderId`) as one text. The two orders of a self-trade share their `matchId`. */
export function identityOf({ matchId, orderId }: Identified): string {
  return `${matchId}\0${orderId}`; // no id holds a NUL (formats/row.ts)
}

/**
 * The time that decides the period: when the order was filled, else when the transaction was created. ms UTC.
 */
export function tradeTime(fill: Pick<Fill, "filledAt" | "txCreated">): number {
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
