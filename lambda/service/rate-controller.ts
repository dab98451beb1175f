import { SECOND_MS } from "../core/time.ts";
import { afterAnswer, NO_QUOTA, stopMs } from "./rate-limit-headers.ts";
import type { Cap, Congestion, Cycle, Ended, Observation, RateBounds, RateState, SentRequest } from "./rate-state.ts";
import { backoffMs } from "./retry.ts";

// The rate controller. All of it is pure: `next` gives the state after an observation; the other functions
// answer questions about a state. Times are ms of a monotonic clock, rates are requests a second.
//
// Slow start lasts until the first refusal: the rate doubles with each answered round trip. A refusal stops
// all requests, for the wait that the service asks for or for a backoff that doubles with each refused probe.
// Then a single request goes as a probe. Its answer ends a cycle. The number of requests that passed in the
// cycle gives the next rate, which then grows by CUBIC (RFC 9438).

const NEVER = Number.NEGATIVE_INFINITY;
const FIRST_RATE = 2;
const KEPT_OF_LEARNED = 0.8;
/** A lower rate comes from pauses, not from a limit. Starting with it could take minutes to correct. */
const LEAST_LEARNED = 0.2;
/** Before the rate goes beyond a refused one, this many requests must be answered for each refusal … */
const ANSWERS_PER_REFUSAL = 100;
/**
 * … and this multiple of the time must pass for which the refusal stopped all requests (counted up to 10 s);
 * at least 20 s.
 */
const TIMES_STOPPED = 30;
const MOST_STOPPED_S = 10;
const LEAST_S = 20;
const FIRST_PATIENCE = 20;
/** Timers are up to 2 ms late. */
const TIMER_MS = 2;

/** `learned`: the rate that an earlier run learned. Null: not known. */
export function initialState(bounds: RateBounds, learned: number | null = null, pausedUntil = NEVER): RateState {
  const state: RateState = {
    bounds,
    rate: FIRST_RATE,
    curve: null,
    cycle: null,
    congestion: null,
    previous: { passed: 0, openRate: 0 },
    cap: { most: bounds.concurrency, suspected: 0, patience: FIRST_PATIENCE, answers: 0 },
    quota: NO_QUOTA,
    inFlight: 0,
    lastSent: { order: 0, at: NEVER, inFlight: 0, heldBy: null },
    nextAt: NEVER,
    pausedUntil,
    latencies: [],
  };
  const top = Math.max(LEAST_LEARNED, learned ?? 0);
  return learned === null ? withRate(state, FIRST_RATE) : onCurve(state, KEPT_OF_LEARNED * top, top, 0, 0);
}

export function next(state: RateState, seen: Observation): RateState {
  if (seen.kind === "sent") {
    return sent(state, seen.at, seen.waited);
  }
  const { at, how, request } = seen;
  const ended = { ...state, inFlight: state.inFlight - 1 };
  switch (how.kind) {
    case "answered":
      return answered({ ...ended, quota: afterAnswer(state.quota, how.quota, request.order, at) }, request, at);
    case "refused":
      return refused(ended, seen, how.retryAfterMs);
    case "failed":
      return ended;
  }
}

/**
 * When the next request may go. 0: now. More: after that many ms. Null: after an answer. A stop that headers
 * ask for is at most `mostWaitMs`.
 */
export function waitMs(state: RateState, now: number, mostWaitMs: number): number | null {
  const stop = stopMs(state.quota, state.lastSent.order, now);
  if (stop > 0 && stop <= mostWaitMs) {
    return stop;
  }
  return state.inFlight < mostInFlight(state) ? Math.max(0, state.nextAt - now, state.pausedUntil - now) : null;
}

/** The rest of the pause after a refusal, ms. */
export function pauseMs(state: RateState, now: number): number {
  return Math.max(0, state.pausedUntil - now);
}

/**
 * The rate that the service seems to allow. Null: never refused, so not known. A bound in flight counts by
 * the rate that it lets through.
 */
export function learnedRate({ bounds, cap, curve, latencies, rate }: RateState): number | null {
  const isCapped = cap.most < bounds.concurrency && latencies.length > 0;
  const byCap = isCapped ? (cap.most * SECOND_MS) / mean(latencies) : Number.POSITIVE_INFINITY;
  return curve === null ? null : Math.min(Math.max(rate, curve.top), byCap);
}

/** One for a probe. Otherwise by Little's law for the longest of the last latencies, plus one. */
function mostInFlight({ cap, congestion, cycle, latencies, rate }: RateState): number {
  const isProbing = cycle === null || congestion !== null;
  return isProbing ? 1 : Math.min(cap.most, Math.ceil((rate * Math.max(...latencies)) / SECOND_MS) + 1);
}

function sent(state: RateState, at: number, waited: boolean): RateState {
  const { bounds, cap, cycle, lastSent, nextAt } = state;
  const inFlight = state.inFlight + 1;
  const isAtCap = cap.most < bounds.concurrency && inFlight >= cap.most && at > nextAt + TIMER_MS;
  const heldBy = isAtCap ? "cap" : "rate";
  const perSecond = cycle === null ? (bounds.maxRps ?? Number.POSITIVE_INFINITY) : state.rate;
  return {
    ...state,
    inFlight,
    lastSent: { order: lastSent.order + 1, at, inFlight, heldBy: waited ? heldBy : null },
    nextAt: slotAfter(nextAt, at, perSecond),
  };
}

/** Requests that are closer together than timers are late make up for the lateness. */
function slotAfter(nextAt: number, at: number, perSecond: number): number {
  const gapMs = SECOND_MS / perSecond;
  return Math.max(nextAt, gapMs < TIMER_MS ? at - TIMER_MS : at) + gapMs;
}

function answered(before: RateState, request: SentRequest, at: number): RateState {
  const { congestion, cycle, pausedUntil } = before;
  const state = { ...before, latencies: [...before.latencies.slice(-19), Math.max(1, at - request.at)] };
  const isProbe = congestion !== null && request.at >= pausedUntil;
  if (cycle === null || isProbe) {
    return resume(state, request, at);
  }
  const alike = (cycle.passedByInFlight[request.inFlight] ?? 0) + 1;
  const passedByInFlight = cycle.passedByInFlight.with(request.inFlight, alike);
  const counted = { ...state, cycle: { ...cycle, passedByInFlight } };
  return congestion === null ? grow(counted, request) : counted;
}

/** The refusal of a request from before the pause says nothing new, except for the wait that it asks for. */
function refused(state: RateState, { at, jitter, request }: Ended, retryAfterMs: number | null): RateState {
  const known = state.congestion ?? { first: request, refusals: 0, backoffs: 0, closedUntil: NEVER };
  const isNew = request.at >= state.pausedUntil;
  const backoffs = known.backoffs + (isNew ? 1 : 0);
  // At least half of the backoff is waited, so that endless refusals cannot become a busy loop.
  const backedOff = isNew ? at + (backoffMs(backoffs) * (1 + jitter)) / 2 : NEVER;
  const told = retryAfterMs === null ? NEVER : at + retryAfterMs;
  const closedUntil = Math.max(known.closedUntil, isNew ? at : NEVER, told);
  return {
    ...state,
    congestion: { ...known, refusals: known.refusals + 1, backoffs, closedUntil },
    pausedUntil: Math.max(state.pausedUntil, backedOff, told),
  };
}

function resume(state: RateState, probe: SentRequest, at: number): RateState {
  const known = state.congestion === null ? state : learn(state, state.congestion, probe.at, at);
  const faster = Math.max(known.rate, (2 * SECOND_MS) / mean(known.latencies));
  const begun = known.curve === null ? withRate(known, faster) : known;
  const nextAt = slotAfter(NEVER, probe.at, begun.rate);
  return { ...begun, congestion: null, cycle: newCycle(begun, probe.at), nextAt };
}

function newCycle({ bounds, rate }: RateState, since: number): Cycle {
  const passedByInFlight = Array.from({ length: bounds.concurrency + 1 }, (_, inFlight) => (inFlight === 1 ? 1 : 0));
  return { since, rate, passedByInFlight };
}

function grow(state: RateState, { at, heldBy }: SentRequest): RateState {
  const { bounds, cap, curve, cycle, latencies, rate } = state;
  if (heldBy === "cap") {
    const isPatient = cap.answers + 1 < cap.patience;
    return {
      ...state,
      cap: {
        ...cap,
        answers: isPatient ? cap.answers + 1 : 0,
        most: Math.min(bounds.concurrency, cap.most + (isPatient ? 0 : 1)),
      },
    };
  }
  if (heldBy === null) {
    return state;
  }
  if (curve === null) {
    const ms = mean(latencies);
    const doubles = rate * ms < 4 * SECOND_MS; // beyond four in flight, a quarter more each round trip
    return withRate(state, rate + ((doubles ? 1 : 0.25) * SECOND_MS) / ms);
  }
  const answers = curve.answers + 1;
  const grown = withRate(
    { ...state, curve: { ...curve, answers } },
    curve.top * (1 + (answers / curve.span - curve.offset) ** 3),
  );
  // What passed at a third of the rate says little about the limit.
  return cycle !== null && grown.rate > 3 * cycle.rate ? { ...grown, cycle: newCycle(grown, at) } : grown;
}

/** At most twice what this many requests in flight can do. */
function withRate(state: RateState, wanted: number): RateState {
  const { bounds, latencies } = state;
  const possible = latencies.length === 0 ? wanted : (2 * bounds.concurrency * SECOND_MS) / mean(latencies);
  return { ...state, rate: Math.min(wanted, bounds.maxRps ?? wanted, possible) };
}

function onCurve(state: RateState, from: number, top: number, refusals: number, stoppedMs: number): RateState {
  const stoppedS = Math.min(MOST_STOPPED_S, stoppedMs / SECOND_MS);
  const span = Math.max(ANSWERS_PER_REFUSAL * refusals, from * Math.max(LEAST_S, TIMES_STOPPED * stoppedS));
  const offset = Math.cbrt(Math.max(0, 1 - from / top));
  return withRate({ ...state, curve: { top, offset, span, answers: 0 } }, from);
}

/**
 * Learns from a cycle. The requests that passed, divided by the time until the first refusal, are the most
 * that the limit can be. Divided by the whole cycle with its pause, they are what a quota gives, or less if
 * the pause was longer than needed. The rate lies between the two and comes nearer with each cycle. It takes
 * a quota's rate at once if as many passed as in the cycle before although requests were slower.
 */
function learn(state: RateState, congestion: Congestion, probedAt: number, now: number): RateState {
  const { cycle, previous, rate } = state;
  if (cycle === null) {
    return state;
  }
  const { closedUntil, first, refusals } = congestion;
  const { passedByInFlight, since } = cycle;
  const passed = sum(passedByInFlight);
  const per = (until: number): number => (passed * SECOND_MS) / Math.max(1, until - since);
  const least = per(probedAt);
  const reopened = per(Math.min(probedAt, closedUntil));
  const quotaRate = Math.sqrt(least * reopened);
  const openRate = Math.max(least, Math.min(rate, per(first.at)));
  const isQuota = Math.abs(passed - previous.passed) <= 0.1 * passed + 0.5 && openRate < 0.75 * previous.openRate;
  const from = 0.95 * (isQuota ? quotaRate : Math.sqrt(quotaRate * openRate));
  const top = Math.max(from, isQuota ? reopened : 0.98 * Math.sqrt(rate * openRate));
  const cap = capAfter(state, passedByInFlight, first.inFlight, top);
  return onCurve({ ...state, cap, previous: { passed, openRate } }, from, top, refusals, now - first.at);
}

/**
 * Requests are refused with this many in flight, and hardly any passed with as many: the service may bound
 * the number in flight. The bound is never set below what the rate `top` needs. If the same bound appears
 * again, the controller stays there for longer.
 */
function capAfter(state: RateState, passedByInFlight: readonly number[], refusedInFlight: number, top: number): Cap {
  const { bounds, cap, latencies } = state;
  const alike = sum(passedByInFlight.slice(refusedInFlight));
  if (refusedInFlight === 1 || alike >= Math.max(3, 0.1 * sum(passedByInFlight))) {
    return { ...cap, most: bounds.concurrency };
  }
  const suspected = refusedInFlight - 1;
  const patience = suspected === cap.suspected ? 8 * cap.patience : FIRST_PATIENCE;
  const needed = Math.ceil((0.9 * top * mean(latencies)) / SECOND_MS);
  return { ...cap, most: Math.min(bounds.concurrency, Math.max(suspected, needed)), suspected, patience };
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
