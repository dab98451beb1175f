import type { FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";

/**
 * The port to the trading service, in two faces: what reads, and what changes. The export is given only the first, so it has no
 * call that trades. Every method rejects with a FillbookError (kind `token` on 401/403, `incomplete` when retries are used up or the
 * signal aborted, `usage` for an address that is not the service, `untrusted` for an answer that breaks the interface).
 */
export interface ServiceReader {
  completedOrders(request: PageRequest, signal: AbortSignal): Promise<PageAnswer>;
  openOrder(market: string, by: OrderKey, signal: AbortSignal): Promise<OpenOrder | null>;
  markets(signal: AbortSignal): Promise<readonly string[]>;
  productSpecifications(signal: AbortSignal): Promise<readonly ProductSpecification[]>;
  marketData(markets: readonly string[], signal: AbortSignal): Promise<readonly MarketDatum[]>;
  /** The rows of a body that was kept as evidence, read as `completedOrders` reads an answer. */
  decode(body: string): readonly PageRow[];
  /** Whether another request would be sent at once. Only then is it worth while to have more of them. */
  hasRoom(): boolean;
  /**
   * Begins a run: with what earlier ones have learned (null: nothing), and what is left of its time, ms (absent: as long as it takes). A pause that an
   * earlier run was told goes on.
   */
  begin(learned: Learned | null, timeLeftMs?: () => number): void;
  /** What is known now of the service's limit, for the next run. */
  learned(): Learned;
  /** What the client has done so far: requests sent (retries included), answers refused with 429. */
  readonly counts: { readonly requests: number; readonly refused: number };
}

/** What one token's limit seems to be, kept from run to run. */
export interface Learned {
  /** Null: never refused, so nothing is known. */
  readonly ratePerSecond: number | null;
  /** Until when the service has asked to be left alone; null: no pause. Wall time, ms UTC, as `notedAt`, at which both were true. */
  readonly pausedUntil: number | null;
  readonly notedAt: number;
}

export interface ServiceWriter {
  /** Sets the leverage of one market; resolves to the service's message. Never retried once it may have been received. */
  setLeverage(market: string, leverage: Leverage, signal: AbortSignal): Promise<string>;
}

export type Leverage = "1" | "2" | "3" | "4" | "5";

/** One page of completed orders. Dates are ms; `start` is a `last` that the service gave, passed on unread ("" and "0" are cursors). */
export interface PageRequest {
  readonly startDate?: number;
  readonly endDate?: number;
  readonly start?: string;
}

/** What the body of a page says. */
export interface DecodedPage {
  /** In the service's order. */
  readonly rows: readonly PageRow[];
  /** Absent means that there is no further page; its presence decides, not its truthiness. */
  readonly last?: string;
}

/** `body`: exactly as it came: the evidence. */
export type PageAnswer =
  | (DecodedPage & { readonly kind: "page"; readonly body: string })
  /** A 4xx for a request with a cursor (not 401, 403, 408, 429): expired, bound to other dates, or unknown to the service. */
  | { readonly kind: "cursor-refused"; readonly status: number }
  /** 400, 413, 416 or 422 for a request with dates and without a cursor: the range may be too wide, or begin too early. */
  | { readonly kind: "range-refused"; readonly problem: FillbookError };

/** A row that can be filed, or why it cannot (no `matchId`, no `orderId`, no sane `txCreated`); `at`: its `txCreated`, where that is one. */
export type PageRow = { readonly fill: Fill } | { readonly unfilable: string; readonly at?: number };

export type OrderKey = { readonly orderId: string } | { readonly clientRequestId: string };

/** Answers of the other endpoints: fields as the interface names them, amounts as text, unknown fields kept. */
export interface OpenOrder {
  readonly market: string;
  readonly orderId: string;
  readonly [field: string]: unknown;
}

export interface ProductSpecification {
  readonly market: string;
  readonly contractType?: string;
  readonly [field: string]: unknown;
}

export interface MarketDatum {
  readonly market: string;
  readonly type: string;
  readonly value: string;
  readonly [field: string]: unknown;
}
