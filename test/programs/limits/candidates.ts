import { MAX_WAIT_MS } from "../../../lambda/service/limiter.ts";
import { initialState, learnedRate, next, waitMs } from "../../../lambda/service/rate-controller.ts";
import type { SentRequest } from "../../../lambda/service/rate-state.ts";
import type { Controller, MakeController } from "./simulate.ts";

/**
 * A single chain that requests the next page after it has the last one. After a refusal it waits as long as
 * it is told, or else 0.5 s, doubled up to 8 s. Times are in ms.
 */
export const oneAtATime: MakeController = () => {
  let [isBusy, at, failures] = [false, 0, 0];
  return {
    waitMs: (now) => (isBusy ? null : Math.max(0, at - now)),
    sent() {
      isBusy = true;
      return null;
    },
    answered() {
      isBusy = false;
      failures = 0;
    },
    refused(_, now, retryAfterMs) {
      isBusy = false;
      at = now + Math.min(30_000, retryAfterMs ?? 500 * 2 ** Math.min(failures, 4));
      failures += 1;
    },
  };
};

/** Our controller, which is given the rate that an earlier run learned (`learned`). */
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

export const CANDIDATES: Readonly<Record<string, MakeController>> = { fillbook, "one at a time": oneAtATime };
