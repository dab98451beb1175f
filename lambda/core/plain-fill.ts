/**
 * A fill: one element of `completedOrders` (service-interface, 2.2). Amounts stay the text that the service gave; `decimal.ts` turns
 * them into exact numbers. A field that is absent, or that has another JSON type than the interface says, is null here and its raw
 * value is in `extra` under the interface's name (a JSON number where text is expected is kept as its source text, in its field).
 */
export interface FillFields {
  readonly matchId: string;
  readonly orderId: string;
  /** ms UTC; decides which window the fill belongs to. */
  readonly txCreated: number;
  /** ms UTC; null in the older shape of the item. */
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
  /** `fees`: positive is read as paid, negative as a rebate; the interface does not say. */
  readonly fee: string | null;
  readonly triggerPrice: string | null;
  /** Unknown fields and wrongly typed ones, by the interface's names; null when there are none. */
  readonly extra: Readonly<Record<string, unknown>> | null;
}

/** A fill whose properties are its own. A packed one is none: `{ ...packed }` has no properties, and the compiler takes it for no fill. */
export interface PlainFill extends FillFields {
  readonly contentBytes?: never;
}
