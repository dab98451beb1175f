/**
 * Rate limits that a service might have; none is documented. Each limiter is a state machine that is given
 * the time. `retryAfter`: whether a refusal says how long to wait, and in which of the header's two forms.
 * `tells`: whether every answer says how many requests are left; only a fixed window can.
 */
export type LimiterSpec = {
  readonly retryAfter?: "none" | "seconds" | "http-date";
  readonly tells?: boolean;
} & (
  | { readonly kind: "token-bucket"; readonly ratePerSecond: number; readonly burst: number }
  /** Windows begin at whole multiples of `windowMs`. */
  | { readonly kind: "fixed-window"; readonly limit: number; readonly windowMs: number }
  | { readonly kind: "sliding-window"; readonly limit: number; readonly windowMs: number }
  /** A request occupies a place for its latency, and for at least `holdMs`. */
  | { readonly kind: "concurrency"; readonly limit: number; readonly holdMs?: number }
  /**
   * A token bucket that starts a ban when it is empty. Each request during a ban restarts it, `growth` times
   * as long as before.
   */
  | {
      readonly kind: "ban";
      readonly ratePerSecond: number;
      readonly burst: number;
      readonly banMs: number;
      readonly growth: number;
    }
);

export interface Limiter {
  /**
   * Null if the request may pass, else the ms until a request may pass. `latencyMs` is how long the service
   * works on the request.
   */
  refuse(nowMs: number, latencyMs: number): number | null;
  /** `remaining`: requests that could pass now. `resetMs`: ms until the full allowance is back. */
  left?(nowMs: number): { readonly remaining: number; readonly resetMs: number };
}

export function createLimiter(spec: LimiterSpec): Limiter {
  switch (spec.kind) {
    case "token-bucket":
      return tokenBucket(spec.ratePerSecond, spec.burst);
    case "fixed-window":
      return fixedWindow(spec.limit, spec.windowMs);
    case "sliding-window":
      return slidingWindow(spec.limit, spec.windowMs);
    case "concurrency":
      return concurrencyCap(spec.limit, spec.holdMs ?? 0);
    case "ban":
      return growingBan(tokenBucket(spec.ratePerSecond, spec.burst), spec.banMs, spec.growth);
  }
}

/**
 * The `retry-after` header of a refusal, if the limiter sends one. Seconds are rounded up, and a date to the
 * next whole second.
 */
export function retryAfterHeaders(spec: LimiterSpec, nowMs: number, waitMs: number): Record<string, string> {
  switch (spec.retryAfter ?? "none") {
    case "none":
      return {};
    case "seconds":
      return { "retry-after": String(Math.ceil(waitMs / 1000)) };
    case "http-date":
      return { "retry-after": new Date(Math.ceil((nowMs + waitMs) / 1000) * 1000).toUTCString() };
  }
}

/** The header that says how many requests are left. Seconds are rounded up. */
export function rateLimitHeaders(spec: LimiterSpec, limiter: Limiter, nowMs: number): Record<string, string> {
  const left = spec.tells === true ? limiter.left?.(nowMs) : undefined;
  return left === undefined ? {} : { ratelimit: `"default";r=${left.remaining};t=${Math.ceil(left.resetMs / 1000)}` };
}

const ROUNDING = 1e-9;

function tokenBucket(ratePerSecond: number, burst: number): Limiter {
  let tokens = burst;
  let filledMs = Number.NEGATIVE_INFINITY;
  return {
    refuse(nowMs) {
      const elapsedMs = filledMs === Number.NEGATIVE_INFINITY ? 0 : Math.max(0, nowMs - filledMs);
      tokens = Math.min(burst, tokens + (elapsedMs * ratePerSecond) / 1000);
      filledMs = nowMs;
      // After many small refills, rounding may leave the sum just below a whole token. A client that waited
      // as long as it was told must pass.
      if (tokens >= 1 - ROUNDING) {
        tokens = Math.max(0, tokens - 1);
        return null;
      }
      return ((1 - tokens) * 1000) / ratePerSecond;
    },
  };
}

function fixedWindow(limit: number, windowMs: number): Limiter {
  let window = Number.NaN;
  let used = 0;
  const enter = (nowMs: number): void => {
    const current = Math.floor(nowMs / windowMs);
    used = current === window ? used : 0;
    window = current;
  };
  return {
    left(nowMs) {
      enter(nowMs);
      return { remaining: limit - used, resetMs: (window + 1) * windowMs - nowMs };
    },
    refuse(nowMs) {
      enter(nowMs);
      if (used < limit) {
        used += 1;
        return null;
      }
      return (window + 1) * windowMs - nowMs;
    },
  };
}

function slidingWindow(limit: number, windowMs: number): Limiter {
  let passed: readonly number[] = [];
  return {
    refuse(nowMs) {
      passed = passed.filter((at) => at > nowMs - windowMs);
      const oldest = passed[0];
      if (oldest === undefined || passed.length < limit) {
        passed = [...passed, nowMs];
        return null;
      }
      return oldest + windowMs - nowMs;
    },
  };
}

function concurrencyCap(limit: number, holdMs: number): Limiter {
  let endsMs: readonly number[] = [];
  return {
    refuse(nowMs, latencyMs) {
      endsMs = endsMs.filter((end) => end > nowMs);
      if (endsMs.length < limit) {
        endsMs = [...endsMs, nowMs + Math.max(holdMs, latencyMs)];
        return null;
      }
      return Math.min(...endsMs) - nowMs;
    },
  };
}

function growingBan(bucket: Limiter, banMs: number, growth: number): Limiter {
  let bannedUntilMs = Number.NEGATIVE_INFINITY;
  let lengthMs = banMs;
  return {
    refuse(nowMs, latencyMs) {
      if (nowMs < bannedUntilMs) {
        lengthMs *= growth;
      } else if (bucket.refuse(nowMs, latencyMs) === null) {
        return null;
      } else {
        lengthMs = banMs;
      }
      bannedUntilMs = nowMs + lengthMs;
      return lengthMs;
    },
  };
}
