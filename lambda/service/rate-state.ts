import type { KnownQuota, Quota } from "./rate-limit-headers.ts";

/** The state of the rate controller, and its observations. */

export interface RateBounds {
  /** The most requests in flight. */
  readonly concurrency: number;
  /** Null: no such bound. */
  readonly maxRps: number | null;
}

export interface RateState {
  readonly bounds: RateBounds;
  readonly rate: number;
  /** Null in slow start: the limit is not known. */
  readonly curve: Curve | null;
  /** Null until something is answered. */
  readonly cycle: Cycle | null;
  /** Null unless a request was refused since the last answered probe. */
  readonly congestion: Congestion | null;
  /** What the last cycle showed. */
  readonly previous: { readonly passed: number; readonly openRate: number };
  readonly cap: Cap;
  readonly quota: KnownQuota;
  readonly inFlight: number;
  readonly lastSent: SentRequest;
  /** When the rate allows the next request. */
  readonly nextAt: number;
  readonly pausedUntil: number;
  /** The latencies of the last 20 answers, ms. */
  readonly latencies: readonly number[];
}

export interface SentRequest {
  /** The first is 1. */
  readonly order: number;
  readonly at: number;
  /** Including this one. */
  readonly inFlight: number;
  /** What made the request wait. One that nothing held back is no reason to grow. */
  readonly heldBy: "rate" | "cap" | null;
}

/** How a request ended. */
export type Answered =
  /** `quota`: what the answer says is left. Null: it does not say. */
  | { readonly kind: "answered"; readonly quota: Quota | null }
  /** No answer, or status 5xx. It says nothing about the limit. */
  | { readonly kind: "failed" }
  /** Too many requests, or the service asked for a wait. `retryAfterMs` null: it did not say how long. */
  | { readonly kind: "refused"; readonly retryAfterMs: number | null };

/** `waited`: the request could not go as soon as it was made. */
export type Observation = { readonly kind: "sent"; readonly at: number; readonly waited: boolean } | Ended;

export interface Ended {
  readonly kind: "ended";
  readonly at: number;
  readonly request: SentRequest;
  readonly how: Answered;
  /** Uniform in [0, 1). It randomises the backoff after a refusal. */
  readonly jitter: number;
}

/** From one answered probe to the next. */
export interface Cycle {
  readonly since: number;
  readonly rate: number;
  /** How many requests passed that were sent with each number in flight. */
  readonly passedByInFlight: readonly number[];
}

/** Since the last answered probe. */
export interface Congestion {
  readonly first: SentRequest;
  readonly refusals: number;
  readonly backoffs: number;
  /** Until then the limit is known, or said, to be closed. */
  readonly closedUntil: number;
}

/** Grows fast and then slowly up to `top`; beyond it, slowly and then fast. */
export interface Curve {
  readonly top: number;
  readonly offset: number;
  readonly span: number;
  readonly answers: number;
}

/** A bound in flight that the service seems to have. */
export interface Cap {
  /** Equal to the bounds' concurrency if there seems to be none. */
  readonly most: number;
  readonly suspected: number;
  /** After this many answers at the bound, one more in flight is tried. */
  readonly patience: number;
  readonly answers: number;
}
