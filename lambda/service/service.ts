import type { FillbookError } from "../core/errors.ts";
import type { PageRow } from "../formats/row.ts";

/**
 * The port to the trading service. It has two interfaces: one that reads and one that changes something. The
 * export gets only the first, so it cannot trade. Every method rejects with a FillbookError: `token` on 401
 * or 403, `incomplete` when retries are used up or the signal aborted, `usage` if the address is not the
 * service's, `untrusted` if an answer breaks the interface.
 */
export interface ServiceReader {
  completedOrders(request: PageRequest, signal: AbortSignal): Promise<PageAnswer>;
  openOrder(market: string, by: OrderKey, signal: AbortSignal): Promise<OpenOrder | null>;
  markets(signal: AbortSignal): Promise<readonly string[]>;
  productSpecifications(signal: AbortSignal): Promise<readonly ProductSpecification[]>;
  marketData(markets: readonly string[], signal: AbortSignal): Promise<readonly MarketDatum[]>;
  /** Whether another request would be sent at once. Only then is it worth having more of them. */
  hasRoom(): boolean;
  /**
   * Begins a run. `learned`: what earlier runs have learned (null: nothing). `timeLeftMs`: the rest of the
   * run's time (absent: unlimited). A pause that an earlier run was told continues.
   */
  begin(learned: Learned | null, timeLeftMs?: () => number): void;
  /** What is known of the service's limit now, for the next run. */
  learned(): Learned;
  /** The requests sent so far, retries included, and the answers refused with 429. */
  readonly counts: { readonly requests: number; readonly refused: number };
}

/** What is known of one token's limit. Kept from run to run. */
export interface Learned {
  /** Null: never refused, so not known. */
  readonly ratePerSecond: number | null;
  /**
   * When the pause ends that the service asked for. Null: no pause. Wall time, ms UTC, as is `notedAt`, when
   * both were true.
   */
  readonly pausedUntil: number | null;
  readonly notedAt: number;
}

export interface ServiceWriter {
  /**
   * Sets the leverage of one market and resolves to the service's message. Never retried once the service may
   * have received it.
   */
  setLeverage(market: string, leverage: Leverage, signal: AbortSignal): Promise<string>;
}

export type Leverage = "1" | "2" | "3" | "4" | "5";

/**
 * One page of completed orders. Dates are ms. `start` is a `last` that the service gave, passed on unread (""
 * and "0" are cursors).
 */
export interface PageRequest {
  readonly startDate?: number;
  readonly endDate?: number;
  readonly start?: string;
}

/** What the body of a page says. */
export interface DecodedPage {
  /** In the service's order. */
  readonly rows: readonly PageRow[];
  /** Absent: there is no further page. Its presence decides, not its truthiness. */
  readonly last?: string;
}

/** `body`: exactly as it came. It is kept if a row of it cannot be filed. */
export type PageAnswer =
  | (DecodedPage & { readonly kind: "page"; readonly body: string })
  /**
   * Status 4xx (not 401, 403, 408, 429) for a request with a cursor: it expired, is bound to other dates, or
   * is unknown.
   */
  | { readonly kind: "cursor-refused"; readonly status: number }
  /**
   * 400, 404 (once a page has come), 413, 416 or 422 for a request with dates and no cursor: the range may be
   * too wide, or begin too early.
   */
  | { readonly kind: "range-refused"; readonly problem: FillbookError };

export type OrderKey = { readonly orderId: string } | { readonly clientRequestId: string };

/**
 * Answers of the other endpoints. Fields have the interface's names, amounts are text, unknown fields are
 * kept.
 */
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
