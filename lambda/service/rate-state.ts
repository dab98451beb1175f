import type { KnownQuota, Quota } from "./rate-limit-headers.ts";

/** What the rate controller knows, and what it is told. */

export interface RateBounds {
  /** Most requests in flight. */
  readonly concurrency: number;
  /** null: no such bound. */
  readonly maxRps: number | null;
}

export interface RateState {
  readonly bounds: RateBounds;
  readonly rate: number;
  /** null in slow start: the limit is not known. */
  readonly curve: Curve | null;
  /** null until something is answered. */
  readonly cycle: Cycle | null;
  /** null unless something was refused since the last answered probe. */
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
  /** Of the last 20 answers, ms. */
  readonly latencies: readonly number[];
}

export interface SentRequest {
  /** The first is 1. */
  readonly order: number;
  readonly at: number;
  /** With this one. */
  readonly inFlight: number;
  /** What made it wait. A request that nothing held back is no reason to grow. */
  readonly heldBy: "rate" | "cap" | null;
}

/** How a request ended. */
export type Answered =
  /** `quota`: what the answer says is left; null: it does not say. */
  | { readonly kind: "answered"; readonly quota: Quota | null }
  /** No answer, or one of 5xx: says nothing about the limit. */
  | { readonly kind: "failed" }
  /** Too many requests, or a wait was asked for. `retryAfterMs` null: for how long is not said. */
  | { readonly kind: "refused"; readonly retryAfterMs: number | null };

/** `waited`: the request could not go as soon as it was asked for. */
export type Observation = { readonly kind: "sent"; readonly at: number; readonly waited: boolean } | Ended;

export interface Ended {
  readonly kind: "ended";
  readonly at: number;
  readonly request: SentRequest;
  readonly how: Answered;
  /** Uniform in [0, 1), of the backoff after a refusal. */
  readonly jitter: number;
}

/** From the send of one answered probe to that of the next. */
export interface Cycle {
  readonly since: number;
  readonly rate: number;
  /** How many passed that were sent with so many in flight. */
  readonly passedByInFlight: readonly number[];
}

/** Since the last answered probe. */
export interface Congestion {
  readonly first: SentRequest;
  readonly refusals: number;
  readonly backoffs: number;
  /** The limit was seen, or said, to be closed until then. */
  readonly closedUntil: number;
}

/** Grows to `top` at first fast and then slowly, and beyond it slowly and then fast. */
export interface Curve {
  readonly top: number;
  readonly offset: number;
  readonly span: number;
  readonly answers: number;
}

/** A bound in flight that the service seems to have. */
export interface Cap {
  /** The bounds' concurrency: none seems to be there. */
  readonly most: number;
  readonly suspected: number;
  /** Answers at the bound after which one more is tried in flight. */
  readonly patience: number;
  readonly answers: number;
}
