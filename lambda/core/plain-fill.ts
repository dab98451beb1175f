/**
 * A fill: one element of `completedOrders` (service-interface, 2.2). Amounts keep the service's text;
 * `decimal.ts` makes exact numbers of them. If a field is absent or has the wrong JSON type, it is null here,
 * and `extra` keeps its raw value under the interface's name. A JSON number in place of text is kept in its
 * field as it was written.
 */
export interface FillFields {
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
}

/**
 * A fill whose properties are its own. A packed fill is not one: `{ ...packed }` would have no properties, so
 * the compiler rejects it.
 */
export interface PlainFill extends FillFields {
  readonly contentBytes?: never;
}
