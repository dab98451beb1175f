/** Requests and answers of the emulated service without HTTP, the same on a socket and in a simulation. */
export type EmulatorHost = "account" | "market-data";

export interface EmulatorRequest {
  readonly method: string;
  readonly host: EmulatorHost;
  /** `/api/v1/…`, without the query */
  readonly path: string;
  readonly query: URLSearchParams;
  /** names in lower case */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface HttpAnswer {
  readonly status: number;
  /** names in lower case */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How long the service takes before it sends the first byte. */
  readonly latencyMs: number;
  /** Number of spaces sent after `body`, for a body too large to hold in memory. */
  readonly paddingBytes?: number;
  /** The body is sent in this many pieces, one every `everyMs`. */
  readonly slow?: { readonly pieces: number; readonly everyMs: number };
}

/**
 * The connection gives no whole answer: it is reset before the answer, cut within the body of `answer`, or
 * never answered.
 */
export type TransportFault =
  | { readonly fault: "reset" | "hang"; readonly latencyMs: number }
  | { readonly fault: "cut"; readonly latencyMs: number; readonly answer: HttpAnswer };

export type EmulatorAnswer = HttpAnswer | TransportFault;

export function json(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return jsonText(status, JSON.stringify(value), headers);
}

export function jsonText(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body, latencyMs: 0 };
}

/** An item of `completedOrders` as the interface describes it (2.2). */
export interface CompletedOrder {
  readonly market: string;
  readonly matchId: string;
  readonly orderId: string;
  readonly orderType: string;
  readonly executionType: string;
  readonly fillType: string;
  readonly price: string;
  readonly quantity: string;
  readonly tradeType: string;
  /** ms UTC */
  readonly txCreated: number;
  readonly fees: string;
  readonly triggerType: string;
  readonly triggerPrice: string;
  readonly transactionHash: string;
  /** ms UTC; absent in the older shape */
  readonly filledAt?: number;
}

/** A fill's key: (`matchId`, `orderId`), joined in the same way as in the program. */
export function itemIdentity(item: { readonly matchId: string; readonly orderId: string }): string {
  return `${item.matchId}\u0000${item.orderId}`;
}
