import type { Quota } from "../../lambda/service/rate-limit-headers.ts";
import type { Answered } from "../../lambda/service/rate-state.ts";
import { answeredBy } from "../../lambda/service/request-with-retry.ts";
import {
  createLimiter,
  type Limiter,
  type LimiterSpec,
  rateLimitHeaders,
  retryAfterHeaders,
} from "../emulator/limiters.ts";
import { prng } from "../support/prng.ts";

/**
 * Decides when the next request may be sent: our controller or another one. Times are in ms from the
 * beginning. The value that `sent` returns is passed to `answered` or `refused`.
 */
export interface Controller {
  /** 0: send now; more than 0: wait that many ms; null: wait for an answer. */
  waitMs(now: number): number | null;
  sent(now: number): unknown;
  answered(sent: unknown, now: number, quota: Quota | null): void;
  refused(sent: unknown, now: number, retryAfterMs: number | null): void;
}

export type MakeController = (draw: () => number, concurrency: number) => Controller;

/** A ban that each refused request extends. */
export interface GrowingBan {
  readonly kind: "growing-ban";
  readonly ratePerSecond: number;
  readonly burst: number;
  readonly addMs: number;
}

export type HiddenLimit = LimiterSpec | GrowingBan | { readonly kind: "none" };

export interface Scenario {
  readonly limit: HiddenLimit;
  /** The limit in the second half of the time. */
  readonly later?: HiddenLimit;
  /**
   * The mean round trip. Each request's own is up to a fifth shorter or longer. The way to the service takes
   * a twentieth of it; then the service decides.
   */
  readonly rttMs: number;
  /** Number of workers, which always have a request to send. */
  readonly concurrency: number;
  readonly horizonMs: number;
  /** Ends after this many accepted requests; default: no end. */
  readonly requests?: number;
  readonly seed: number;
}

export interface Outcome {
  readonly sent: number;
  readonly accepted: number;
  readonly refused: number;
  readonly endedMs: number;
}

interface Event {
  readonly at: number;
  readonly run: () => void;
}

/**
 * Runs one controller against one hidden limit in virtual time. Timers fire up to 1 ms late, as on a real
 * computer.
 */
export function simulate(make: MakeController, scenario: Scenario): Outcome {
  const { rttMs, concurrency, horizonMs, requests = Number.POSITIVE_INFINITY, later } = scenario;
  const random = prng(scenario.seed);
  const phaseMs = random.int(60_000); // phase of the service's clock, by which it divides time into windows
  const controller = make(random.next, concurrency);
  const events: Event[] = []; // sorted; the next one is last
  const count = { sent: 0, accepted: 0, refused: 0 };
  let spec = scenario.limit;
  let hidden = hiddenLimiter(spec);
  let now = 0;
  let busy = 0;
  let wakeAt = Number.POSITIVE_INFINITY;

  const at = (time: number, run: () => void): void => {
    let index = events.length;
    while (index > 0 && (events[index - 1]?.at ?? 0) <= time) {
      index -= 1;
    }
    events.splice(index, 0, { at: time, run });
  };
  const pump = (): void => {
    while (busy < concurrency) {
      const waitMs = controller.waitMs(now);
      if (waitMs === null) {
        return;
      }
      if (waitMs > 0) {
        wake(now + Math.ceil(waitMs));
        return;
      }
      send();
    }
  };
  const wake = (time: number): void => {
    if (time < wakeAt) {
      wakeAt = time;
      at(time, () => {
        if (wakeAt === time) {
          wakeAt = Number.POSITIVE_INFINITY;
          pump();
        }
      });
    }
  };
  const send = (): void => {
    busy += 1;
    count.sent += 1;
    const sent = controller.sent(now);
    at(now + rttMs * 0.05 * jitter(), () => arrive(sent, rttMs * 0.95 * jitter()));
  };
  const jitter = (): number => 0.8 + 0.4 * random.next();
  const arrive = (sent: unknown, backMs: number): void => {
    const told = answerOf(spec, hidden, now + phaseMs, backMs);
    at(now + backMs, () => {
      busy -= 1;
      if (told.kind === "answered") {
        count.accepted += 1;
        controller.answered(sent, now, told.quota);
      } else if (told.kind === "refused") {
        count.refused += 1;
        controller.refused(sent, now, told.retryAfterMs);
      }
      pump();
    });
  };
  if (later !== undefined) {
    at(horizonMs / 2, () => {
      spec = later;
      hidden = hiddenLimiter(later);
    });
  }
  pump();
  for (let next = events.pop(); next !== undefined && next.at <= horizonMs; next = events.pop()) {
    now = next.at;
    next.run();
    if (count.accepted >= requests) {
      break;
    }
  }
  return { ...count, endedMs: now };
}

/** The service's answer to a request, as the program reads it. */
function answerOf(spec: HiddenLimit, hidden: Limiter, nowMs: number, latencyMs: number): Answered {
  const waitMs = hidden.refuse(nowMs, latencyMs);
  const headers: Readonly<Record<string, string>> =
    spec.kind === "none" || spec.kind === "growing-ban"
      ? {}
      : {
          ...rateLimitHeaders(spec, hidden, nowMs),
          ...(waitMs === null ? {} : retryAfterHeaders(spec, nowMs, waitMs)),
        };
  const header = (name: string): string | undefined => headers[name];
  return answeredBy({ kind: "answer", status: waitMs === null ? 200 : 429, header, body: "" }, nowMs);
}

function hiddenLimiter(spec: HiddenLimit): Limiter {
  switch (spec.kind) {
    case "none":
      return { refuse: () => null, left: () => null };
    case "growing-ban":
      return growingBan(spec);
    default:
      return createLimiter(spec);
  }
}

function growingBan({ ratePerSecond, burst, addMs }: GrowingBan): Limiter {
  const bucket = createLimiter({ kind: "token-bucket", ratePerSecond, burst });
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    left: () => null,
    refuse(nowMs, latencyMs) {
      if (nowMs >= untilMs && bucket.refuse(nowMs, latencyMs) === null) {
        return null;
      }
      untilMs = Math.max(untilMs, nowMs) + addMs;
      return untilMs - nowMs;
    },
  };
}
