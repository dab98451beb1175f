import { MAX_WAIT_MS } from "../../../lambda/service/limiter.ts";
import { initialState, learnedRate, next, waitMs } from "../../../lambda/service/rate-controller.ts";
import type { SentRequest } from "../../../lambda/service/rate-state.ts";
import type { Controller, MakeController } from "./simulate.ts";

/** Other controllers, as small as they can be and still do what their source does. Times in ms. */

/** Each worker for itself: `workers` at once, a backoff per refused request, Retry-After up to 30 s, as undici's retry handler waits. */
function fixed(workers: number): MakeController {
  return () => {
    const free = Array.from({ length: workers }, () => ({ at: 0, failures: 0 }));
    const soonest = (): (typeof free)[number] | undefined => free.toSorted((a, b) => a.at - b.at)[0];
    type Worker = (typeof free)[number];
    return {
      waitMs(now) {
        const worker = soonest();
        return worker === undefined ? null : Math.max(0, worker.at - now);
      },
      sent() {
        const worker = soonest() ?? { at: 0, failures: 0 };
        free.splice(free.indexOf(worker), 1);
        return worker;
      },
      answered(_, now) {
        free.push({ at: now, failures: 0 });
      },
      refused(worker: Worker, now, retryAfterMs) {
        const failures = worker.failures + 1;
        const waitMs = retryAfterMs ?? 500 * 2 ** Math.min(failures - 1, 4); // five retries, and the request is asked anew
        free.push({ at: now + Math.min(30_000, waitMs), failures });
      },
    };
  };
}

/** One chain that asks for the next page when it has the last, and waits as it is told, or 0.5 s doubled up to 30 s. */
export const oneAtATime: MakeController = fixed(1);

/** botocore's adaptive mode: a token bucket that is off until the first refusal, then CUBIC around the measured rate. */
const awsAdaptive: MakeController = () => {
  let on = false;
  let [fill, capacity, tokens, filledAt] = [0, 1, 0, 0];
  let [measured, bucketAt, inBucket] = [0, 0, 0];
  let [lastMax, lastThrottle, window] = [0, 0, 0];
  const refill = (now: number): void => {
    tokens = Math.min(capacity, tokens + ((now - filledAt) / 1000) * fill);
    filledAt = now;
  };
  const measure = (now: number): void => {
    const half = Math.floor(now / 500) / 2;
    inBucket += 1;
    if (half > bucketAt) {
      measured = (0.8 * inBucket) / (half - bucketAt) + measured * 0.2;
      [inBucket, bucketAt] = [0, half];
    }
  };
  const update = (now: number, rate: number): void => {
    refill(now);
    fill = Math.max(0.5, Math.min(rate, 2 * measured));
    capacity = Math.max(1, fill);
  };
  return {
    waitMs(now) {
      refill(now);
      return !on || tokens >= 1 ? 0 : ((1 - tokens) / fill) * 1000;
    },
    sent() {
      tokens -= on ? 1 : 0;
      return null;
    },
    answered(_, now) {
      measure(now);
      update(now, 0.4 * ((now - lastThrottle) / 1000 - window) ** 3 + lastMax);
    },
    refused(_, now) {
      measure(now);
      lastMax = on ? Math.min(measured, fill) : measured;
      window = Math.cbrt((lastMax * 0.3) / 0.4);
      lastThrottle = now;
      on = true;
      update(now, lastMax * 0.7);
    },
  };
};

/** Vector's adaptive request concurrency: from 1, one more each round trip that was full, × 0.9 on a refusal or a slow mean; retries by Fibonacci. */
const vectorArc: MakeController = (_, concurrency) => {
  let [limit, inFlight, reached, nextAt, judgedAt, retryAt, failures] = [1, 0, false, 0, 0, 0, 0];
  let [mean, variance, sum, count, hasRefused] = [0, 0, 0, 0, false];
  const fibonacci = [1000, 1000, 2000, 3000, 5000, 8000, 13_000, 21_000, 30_000];
  const judge = (now: number): void => {
    if (now < nextAt || count === 0) {
      return;
    }
    const current = sum / count;
    const isSlow = mean > 0 && current >= mean + 2.5 * Math.sqrt(variance);
    if (hasRefused || isSlow) {
      limit = Math.max(1, Math.floor(limit * 0.9));
    } else if (reached) {
      limit = Math.min(concurrency, limit + 1);
    }
    variance = mean === 0 ? 0 : 0.6 * (variance + 0.4 * (current - mean) ** 2);
    mean = mean === 0 ? current : mean + 0.4 * (current - mean);
    [sum, count, reached, hasRefused, judgedAt] = [0, 0, false, false, now];
    nextAt = judgedAt + mean;
  };
  return {
    waitMs: (now) => (inFlight >= limit ? null : Math.max(0, (inFlight === limit - 1 ? retryAt : 0) - now)),
    sent(now) {
      inFlight += 1;
      reached ||= inFlight >= limit;
      return now;
    },
    answered(sentAt: number, now) {
      inFlight -= 1;
      failures = 0;
      [sum, count] = [sum + now - sentAt, count + 1];
      judge(now);
    },
    refused(sentAt: number, now, retryAfterMs) {
      inFlight -= 1;
      hasRefused = true;
      [sum, count] = [sum + now - sentAt, count + 1];
      retryAt = now + (retryAfterMs ?? fibonacci[Math.min(failures, 8)] ?? 0);
      failures += 1;
      judge(now);
    },
  };
};

/** Estuary's connectors: a delay between requests shared by five workers; 1 s at first, × 4 on a refusal, 1 % less with each success. */
const estuary: MakeController = () => {
  let [delay, nextAt, inFlight] = [1000, 0, 0];
  return {
    waitMs: (now) => (inFlight >= 5 ? null : Math.max(0, nextAt - now)),
    sent(now) {
      inFlight += 1;
      nextAt = now + delay;
      return null;
    },
    answered() {
      inFlight -= 1;
      delay *= 0.99;
    },
    refused(_, now, retryAfterMs) {
      inFlight -= 1;
      delay = Math.min(60_000, delay * 4);
      nextAt = Math.max(nextAt, now + (retryAfterMs ?? delay));
    },
  };
};

/** Ours, that an earlier run has told what it `learned`. */
export function told(
  learned: number | null,
  draw: () => number,
  concurrency: number,
): Controller & { learnedRate(): number | null } {
  let state = initialState({ concurrency, maxRps: null }, learned);
  let waited = false;
  return {
    waitMs(now) {
      const ms = waitMs(state, now, MAX_WAIT_MS);
      waited ||= ms !== 0;
      return ms;
    },
    sent(at) {
      state = next(state, { kind: "sent", at, waited });
      waited = false;
      return state.lastSent;
    },
    answered(request: SentRequest, at, quota) {
      state = next(state, { kind: "ended", at, request, how: { kind: "answered", quota }, jitter: 0 });
    },
    refused(request: SentRequest, at, retryAfterMs) {
      const how = { kind: "refused", retryAfterMs } as const;
      state = next(state, { kind: "ended", at, request, how, jitter: draw() });
    },
    learnedRate: () => learnedRate(state),
  };
}

export const fillbook: MakeController = (draw, concurrency) => told(null, draw, concurrency);

export const CANDIDATES: Readonly<Record<string, MakeController>> = {
  fillbook,
  "fixed 10 + backoff": fixed(10),
  "one at a time": oneAtATime,
  "AWS adaptive": awsAdaptive,
  "Vector ARC": vectorArc,
  "Estuary, 5 workers": estuary,
};
