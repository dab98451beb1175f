import { SECOND_MS } from "../model/time.ts";
import type { Allowance } from "./allowance.ts";
import { backoffMs } from "./retry.ts";

/** When the next request may go: a state machine over the times it is given (ms, monotonic). It knows nothing of the service's limit. */
export interface Pace {
  /** 0: now; more: after so many ms; null: after an answer. */
  waitMs(now: number): number | null;
  /** Whether `waitMs` would say 0. Only looks: a request that is never sent was not held back. */
  hasRoom(now: number): boolean;
  sent(now: number): Sent;
  answered(sent: Sent, now: number, allowance: Allowance | null): void;
  failed(): void;
  /** `retryAfterMs` null: for how long is not said. */
  refused(sent: Sent, now: number, retryAfterMs: number | null): void;
  /** What is left of the pause after a refusal, ms; 0 or less: nothing. */
  pauseMs(now: number): number;
  /** What the service seems to allow, requests a second; null: never refused, so nothing is known. */
  learnedRate(): number | null;
}

export interface Sent {
  /** The first is 1. */
  readonly order: number;
  readonly at: number;
  readonly previousAt: number;
  /** Congestion events before it: a refusal of what was sent before the last one tells nothing new. */
  readonly event: number;
  readonly inFlight: number;
  /** The rate, or the bound in flight, held it back; a request that nothing held back is no reason to grow. */
  readonly heldBy: "rate" | "cap" | null;
}

export interface PaceOptions {
  readonly concurrency: number;
  readonly maxRps: number | null;
  /** Uniform in [0, 1). */
  readonly draw: () => number;
  /** What an earlier run has learned, requests a second. */
  readonly learnedRate?: number | null;
  /** Of a pause that an earlier run was told. */
  readonly pausedUntil?: number;
}

const FIRST_RATE = 2;
const KEPT_OF_LEARNED = 0.8;
/** A rate below this was learned from pauses, not from a limit: beginning with it could take minutes to notice. */
const LEAST_LEARNED = 0.2;
/** Timers are up to 2 ms late: requests that are closer to each other than this make up for it. */
const TIMER_MS = 2;
/** What a refusal has to be paid for with before the rate goes beyond what was refused: answered requests … */
const ANSWERS_PER_REFUSAL = 100;
/** … and time: multiples of the time that it stopped all sends, of which no more than 10 s count; at least 20 s. */
const TIMES_STOPPED = 30;
const MOST_STOPPED_S = 10;
const LEAST_S = 20;
/** Answers after which one more is tried in flight, once a bound has shown itself. */
const FIRST_PATIENCE = 20;

/**
 * Slow start, doubled with each round trip that is answered, until the first refusal. A refusal stops all sends until the wait asked for, or a backoff
 * that doubles with each probe refused, is over; then one request goes as a probe. Its answer ends a cycle, whose count gives the next rate.
 */
export function createPace({ concurrency, maxRps, draw, ...known }: PaceOptions): Pace {
  const learned = known.learnedRate ?? null;
  let rate = FIRST_RATE; // requests a second
  let starting = learned === null;
  let probing = true;
  let inFlight = 0;
  let sends = 0;
  let heldBy: Sent["heldBy"] = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  let nextAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = known.pausedUntil ?? Number.NEGATIVE_INFINITY;
  let latencies: readonly number[] = []; // of the last 20 answers, ms
  let meanMs = 0;
  let events = 0;
  // The refusals since the last resume.
  let first: { readonly sent: Sent; readonly at: number; readonly rate: number } | null = null;
  let refusals = 0;
  let pauses = 0;
  let toldWait = false;
  // The cycle: from the send of one answered probe to that of the next.
  let beganAt: number | null = null;
  let passed = 0;
  let passedBefore = 0;
  let openBefore = 0;
  let passedByInFlight = new Map<number, number>();
  // CUBIC (RFC 9438) over answers: up to `top` at first fast and then slowly, and beyond it slowly and then fast.
  let curve = { top: 0, offset: 0, span: 1, answers: 0 };
  let doubted = learned ?? 0;
  let cap = concurrency;
  let capSuspected = 0;
  let patience = FIRST_PATIENCE;
  let atCap = 0;

  if (learned !== null) {
    const top = Math.max(LEAST_LEARNED, learned);
    setCurve(KEPT_OF_LEARNED * top, top, 0);
  }

  return {
    waitMs(now) {
      if (inFlight >= most()) {
        heldBy = !probing && inFlight >= cap && cap < concurrency ? "cap" : heldBy;
        return null;
      }
      const waitMs = Math.max(pausedUntil, nextAt) - now;
      heldBy = waitMs > 0 && !probing ? "rate" : heldBy;
      return Math.max(0, waitMs);
    },
    hasRoom: (now) => inFlight < most() && now >= Math.max(pausedUntil, nextAt),
    sent(now) {
      inFlight += 1;
      sends += 1;
      const sent = { order: sends, at: now, previousAt: lastAt, event: events, inFlight, heldBy };
      heldBy = null;
      lastAt = now;
      schedule(now, beganAt === null ? (maxRps ?? Number.POSITIVE_INFINITY) : rate);
      return sent;
    },
    answered(sent, now) {
      inFlight -= 1;
      passed += 1;
      passedByInFlight.set(sent.inFlight, (passedByInFlight.get(sent.inFlight) ?? 0) + 1);
      const latency = Math.max(1, now - sent.at);
      latencies = [...latencies.slice(-19), latency];
      meanMs += (latency - meanMs) / (meanMs === 0 ? 1 : 8);
      if (sent.event !== events) {
        return;
      }
      if (probing) {
        resume(sent, now);
      } else {
        grow(sent);
      }
    },
    failed() {
      inFlight -= 1;
    },
    refused(sent, now, retryAfterMs) {
      inFlight -= 1;
      refusals += 1;
      if (sent.event === events) {
        first ??= { sent, at: now, rate };
        events += 1;
        pauses += 1;
        probing = true;
        // Half of the backoff is certain, so that refusals without end cannot become a busy loop.
        pausedUntil = Math.max(pausedUntil, now + (backoffMs(pauses) * (1 + draw())) / 2);
      }
      if (retryAfterMs !== null) {
        toldWait = true;
        pausedUntil = Math.max(pausedUntil, now + retryAfterMs);
      }
    },
    pauseMs: (now) => pausedUntil - now,
    learnedRate: () => (starting ? null : Math.min(Math.max(rate, curve.top), boundByCap())),
  };

  function schedule(after: number, perSecond: number): void {
    const gapMs = SECOND_MS / perSecond;
    nextAt = Math.max(nextAt, gapMs < TIMER_MS ? after - TIMER_MS : after) + gapMs;
  }

  /** Little's law for the longest of the last 20 latencies, with one to spare. */
  function most(): number {
    return probing ? 1 : Math.min(cap, Math.ceil((rate * Math.max(0, ...latencies)) / SECOND_MS) + 1);
  }

  /** What a bound in flight that has shown itself lets through, requests a second: it is no rate, and the rate may have grown far beyond it. */
  function boundByCap(): number {
    return cap < concurrency && meanMs > 0 ? (cap * SECOND_MS) / meanMs : Number.POSITIVE_INFINITY;
  }

  function grow({ heldBy: held, at }: Sent): void {
    if (held === "cap") {
      growCap();
    } else if (held === "rate" && starting) {
      const doubling = rate * meanMs < 4 * SECOND_MS; // beyond four in flight, a quarter more each round trip
      setRate(rate + ((doubling ? 1 : 0.25) * SECOND_MS) / meanMs);
    } else if (held === "rate") {
      curve.answers += 1;
      setRate(curve.top * (1 + (curve.answers / curve.span - curve.offset) ** 3));
      if (events === 0 && rate > 2 * doubted) {
        doubted = rate; // far beyond what was learned, and never refused: what passed until now says little of the limit
        beginCycle(at);
      }
    }
  }

  function growCap(): void {
    atCap += 1;
    if (atCap >= patience) {
      atCap = 0;
      cap += 1;
      patience = Math.max(FIRST_PATIENCE, patience / 4);
    }
  }

  /** No more than twice what so many in flight can do. */
  function setRate(wanted: number): void {
    rate = Math.min(wanted, maxRps ?? wanted, meanMs === 0 ? wanted : (2 * concurrency * SECOND_MS) / meanMs);
  }

  function setCurve(from: number, top: number, stoppedMs: number): void {
    const stoppedS = Math.min(MOST_STOPPED_S, stoppedMs / SECOND_MS);
    const span = Math.max(ANSWERS_PER_REFUSAL * refusals, from * Math.max(LEAST_S, TIMES_STOPPED * stoppedS));
    curve = { top, offset: Math.cbrt(Math.max(0, 1 - from / top)), span, answers: 0 };
    setRate(from);
  }

  function beginCycle(at: number): void {
    beganAt = at;
    passed = 1;
    passedByInFlight = new Map();
  }

  function resume(probe: Sent, now: number): void {
    if (beganAt !== null && first !== null) {
      learn(beganAt, probe, first, now - first.at);
    } else if (starting) {
      setRate(Math.max(rate, (2 * SECOND_MS) / meanMs));
    }
    nextAt = Number.NEGATIVE_INFINITY;
    schedule(probe.at, rate);
    beginCycle(probe.at);
    first = null;
    refusals = 0;
    pauses = 0;
    toldWait = false;
    atCap = 0;
    probing = false;
  }

  /**
   * What passed in a cycle, over the time until the first refusal: the most that the limit can be. Over the whole cycle, pause and all: what a quota
   * gives, and too little where the pause was longer than needed. The rate goes on between the two, and nearer with each cycle; at once to a quota's
   * own rate, when as much passed as in the cycle before although it was asked for more slowly.
   */
  function learn(from: number, probe: Sent, refused: NonNullable<typeof first>, stoppedMs: number): void {
    const count = passed - 1;
    const per = (until: number): number => (count * SECOND_MS) / Math.max(1, until - from);
    const least = per(probe.at);
    const reopened = toldWait ? least : per(probe.previousAt); // the last probe refused, when there was one
    const quota = Math.sqrt(least * reopened);
    const open = Math.max(least, Math.min(refused.rate, per(refused.sent.at)));
    const isQuota = Math.abs(count - passedBefore) <= 0.1 * count + 0.5 && open < 0.75 * openBefore;
    passedBefore = count;
    openBefore = open;
    starting = false;
    const next = 0.95 * (isQuota ? quota : Math.sqrt(quota * open));
    const top = Math.max(next, isQuota ? reopened : 0.98 * Math.sqrt(refused.rate * open));
    if (isSameCap(refused.sent.inFlight, count, top)) {
      setCurve(0.97 * refused.rate, refused.rate, stoppedMs); // the bound in flight is the limit, the rate is none
    } else {
      setCurve(next, top, stoppedMs);
    }
  }

  /** Refused with so many in flight, while hardly any passed with as many: the service may bound those. Whether it is the bound found before. */
  function isSameCap(refusedInFlight: number, count: number, top: number): boolean {
    const asWide = [...passedByInFlight].reduce(
      (sum, [wide, passes]) => (wide >= refusedInFlight ? sum + passes : sum),
      0,
    );
    if (refusedInFlight === 1 || asWide >= Math.max(3, 0.1 * count)) {
      cap = concurrency;
      return false;
    }
    const isSame = refusedInFlight - 1 === capSuspected;
    patience *= isSame ? 8 : 1;
    capSuspected = refusedInFlight - 1;
    cap = Math.min(concurrency, Math.max(capSuspected, Math.ceil((0.9 * top * meanMs) / SECOND_MS)));
    return isSame;
  }
}
