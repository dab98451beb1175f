/**
 * Rate limits as a service may have them; none is documented. Pure state machines over the time they are given.
 * `retryAfter`: whether a refusal says how long to wait, and in which of the header's two forms.
 */
export type LimiterSpec = { readonly retryAfter?: "none" | "seconds" | "http-date" } & (
  | { readonly kind: "token-bucket"; readonly ratePerSecond: number; readonly burst: number }
  /** Windows begin at whole multiples of `windowMs`. */
  | { readonly kind: "fixed-window"; readonly limit: number; readonly windowMs: number }
  | { readonly kind: "sliding-window"; readonly limit: number; readonly windowMs: number }
  /** A request holds its place for its latency: `holdMs` at least. */
  | { readonly kind: "concurrency"; readonly limit: number; readonly holdMs?: number }
  /** A bucket that bans when it is empty; each request during the ban begins it anew, `growth` times as long. */
  | {
      readonly kind: "ban";
      readonly ratePerSecond: number;
      readonly burst: number;
      readonly banMs: number;
      readonly growth: number;
    }
);

export interface Limiter {
  /** Null lets the request pass; otherwise the ms until one may. `latencyMs`: how long the request will be with the service. */
  refuse(nowMs: number, latencyMs: number): number | null;
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

/** The `retry-after` header of a refusal, or none. Seconds are rounded up, and a date to the next whole second. */
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

const ROUNDING = 1e-9;

function tokenBucket(ratePerSecond: number, burst: number): Limiter {
  let tokens = burst;
  let filledMs = Number.NEGATIVE_INFINITY;
  return {
    refuse(nowMs) {
      const elapsedMs = filledMs === Number.NEGATIVE_INFINITY ? 0 : Math.max(0, nowMs - filledMs);
      tokens = Math.min(burst, tokens + (elapsedMs * ratePerSecond) / 1000);
      filledMs = nowMs;
      // Sums of many small fillings may miss a whole token by a rounding error; whoever waited as told must pass.
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
  return {
    refuse(nowMs) {
      const current = Math.floor(nowMs / windowMs);
      if (current !== window) {
        window = current;
        used = 0;
      }
      if (used < limit) {
        used += 1;
        return null;
      }
      return (current + 1) * windowMs - nowMs;
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
