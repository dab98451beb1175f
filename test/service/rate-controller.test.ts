import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { initialState, learnedRate, next, waitMs } from "../../lambda/service/rate-controller.ts";
import type { Answered, RateState, SentRequest } from "../../lambda/service/rate-state.ts";
import { prng } from "../support/prng.ts";

const PASSED: Answered = { kind: "answered", quota: null };
const FAILED: Answered = { kind: "failed" };
const MOST_WAIT_MS = 3_600_000;

function wait(state: RateState, now: number, mostWaitMs = MOST_WAIT_MS): number | null {
  return waitMs(state, now, mostWaitMs);
}

function send(state: RateState, at: number, waited = false): RateState {
  return next(state, { kind: "sent", at, waited });
}

function end(state: RateState, request: SentRequest, at: number, how: Answered = PASSED, jitter = 0.5): RateState {
  return next(state, { kind: "ended", at, request, how, jitter });
}

interface Flight {
  readonly request: SentRequest;
  readonly at: number;
  readonly how: Answered;
}

interface Played {
  readonly states: readonly RateState[];
  readonly sends: readonly number[];
  readonly mostInFlight: number;
  /** From the moment a refusal is known to the end of the wait that it asks for. */
  readonly pauses: readonly { readonly from: number; readonly to: number }[];
  readonly doubledProbes: number;
}

/**
 * Sends as often as the state allows. `flights` gives for each request its duration in ms, and how it ends.
 */
function play(first: RateState, flights: readonly { readonly ms: number; readonly how: Answered }[], seed = 1): Played {
  const draw = prng(seed).next;
  const open: Flight[] = [];
  const states = [first];
  const sends: number[] = [];
  const pauses: { from: number; to: number }[] = [];
  const left = flights.slice();
  let [state, now, mostInFlight, doubledProbes, isPaused, waited] = [first, 0, 0, 0, false, false];
  const begin = (): void => {
    const { ms, how } = left.shift() ?? { ms: 0, how: FAILED };
    state = send(state, now, waited);
    open.push({ request: state.lastSent, at: now + ms, how });
    open.sort((a, b) => a.at - b.at);
    sends.push(now);
    mostInFlight = Math.max(mostInFlight, open.length);
    doubledProbes += isPaused && open.length > 1 ? 1 : 0;
  };
  const finish = ({ how, request }: Flight): void => {
    state = end(state, request, now, how, draw());
    if (how.kind === "answered") {
      isPaused &&= request.at < (pauses.at(-1)?.from ?? 0);
    } else if (how.kind === "refused") {
      pauses.push({ from: now, to: now + (how.retryAfterMs ?? 0) });
      isPaused = true;
    }
  };
  while (left.length > 0) {
    const untilNext = wait(state, now);
    const [ending] = open;
    const wakeAt = untilNext === null ? Number.POSITIVE_INFINITY : now + Math.ceil(untilNext);
    if (untilNext === 0) {
      begin();
    } else if (ending === undefined || wakeAt < ending.at) {
      now = wakeAt;
    } else {
      open.shift();
      now = ending.at;
      finish(ending);
    }
    waited = untilNext !== 0;
    states.push(state);
  }
  return { states, sends, mostInFlight, pauses, doubledProbes };
}

const QUOTA = fc.option(
  fc.record({ remaining: fc.integer({ min: 0, max: 9 }), resetMs: fc.integer({ min: 0, max: 86_400_000 }) }),
);
const HOW: fc.Arbitrary<Answered> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(PASSED) },
  { weight: 2, arbitrary: QUOTA.map((quota) => ({ kind: "answered" as const, quota })) },
  { weight: 1, arbitrary: fc.constant(FAILED) },
  { weight: 1, arbitrary: fc.constant<Answered>({ kind: "refused", retryAfterMs: null }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 400_000 }).map((retryAfterMs) => ({ kind: "refused" as const, retryAfterMs })),
  },
);
const FLIGHTS = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 3000 }), how: HOW }), {
  minLength: 1,
  maxLength: 300,
});
const CONCURRENCY = fc.integer({ min: 1, max: 20 });
const RPS = fc.constantFrom(null, 0.5, 3, 20);
const LEARNED = fc.option(fc.double({ min: 0.01, max: 1000, noNaN: true }));

describe("for any answers of the service:", () => {
  test.prop([FLIGHTS, CONCURRENCY, RPS, LEARNED, fc.integer()])(
    "keeps the limit in flight and the user's rate, sends nothing in a pause and one probe after it",
    (flights, concurrency, maxRps, learned, seed) => {
      const played = play(initialState({ concurrency, maxRps }, learned), flights, seed);
      const { sends, mostInFlight, pauses, doubledProbes } = played;
      expect(mostInFlight).toBeLessThanOrEqual(concurrency);
      expect(pauses.filter(({ from, to }) => sends.some((at) => at > from && at < to))).toEqual([]);
      expect(doubledProbes).toBe(0);
      const gaps = sends.slice(1).map((at, index) => at - (sends[index] ?? 0));
      expect(gaps.filter((gap) => maxRps !== null && gap < 1000 / maxRps - 1e-6)).toEqual([]);
    },
  );

  test.prop([FLIGHTS, CONCURRENCY, fc.integer()])(
    "pauses for at least a quarter of a second after a refusal without a time",
    (flights, concurrency, seed) => {
      const { sends, pauses } = play(initialState({ concurrency, maxRps: null }), flights, seed);
      const events = pauses.filter(({ from }, index) => from >= (pauses[index - 1]?.from ?? -1000) + 250);
      expect(events.filter(({ from }) => sends.some((at) => at > from && at < from + 250))).toEqual([]);
    },
  );

  test.prop([FLIGHTS, CONCURRENCY, RPS, LEARNED, fc.integer()])(
    "keeps the rate and the requests in flight within their bounds, and no part of the state grows",
    (flights, concurrency, maxRps, learned, seed) => {
      const { states } = play(initialState({ concurrency, maxRps }, learned), flights, seed);
      for (const state of states) {
        const { latencies, cycle, rate, cap, inFlight } = state;
        expect(rate).toBeGreaterThan(0);
        expect(rate).toBeLessThanOrEqual(maxRps ?? Number.MAX_VALUE);
        expect(learnedRate(state) ?? 1).toBeGreaterThan(0);
        expect(latencies.length).toBeLessThanOrEqual(20);
        expect(cycle?.passedByInFlight.length ?? 0).toBeLessThanOrEqual(concurrency + 1);
        expect([cap.most >= 1, cap.most <= concurrency]).toEqual([true, true]);
        expect([inFlight >= 0, inFlight <= concurrency]).toEqual([true, true]);
      }
    },
  );

  const STEP = fc.record({ ms: fc.integer({ min: 1, max: 2000 }), quota: QUOTA });
  test.prop([
    fc.array(STEP, { minLength: 1, maxLength: 200 }),
    fc.constantFrom(null, 0.5, 3),
    fc.integer({ min: 0, max: 60_000 }),
  ])(
    "rate-limit headers never speed requests up, and never stop them for longer than a run may wait",
    (steps, maxRps, mostWaitMs) => {
      let [told, now] = [initialState({ concurrency: 1, maxRps }), 0];
      let untold = told;
      for (const { ms, quota } of steps) {
        const alone = wait(untold, now, mostWaitMs) ?? 0;
        let stopped = 0;
        for (let ms = wait(told, now, mostWaitMs) ?? 0; ms > 0; ms = wait(told, now, mostWaitMs) ?? 0) {
          now += ms;
          stopped += ms;
        }
        expect(stopped).toBeGreaterThanOrEqual(alone - 1e-6);
        expect(stopped).toBeLessThanOrEqual(alone + mostWaitMs + 1e-6);
        [told, untold] = [send(told, now), send(untold, now)];
        now += ms;
        told = end(told, told.lastSent, now, { kind: "answered", quota });
        untold = end(untold, untold.lastSent, now);
      }
    },
  );
});

test("a refusal teaches a rate below the refused one", () => {
  const passed = Array.from({ length: 40 }, () => ({ ms: 50, how: PASSED }));
  const refused = { ms: 50, how: { kind: "refused", retryAfterMs: null } } as const;
  const { states } = play(initialState({ concurrency: 4, maxRps: null }), [...passed, refused, ...passed]);
  const { rate = 0 } = states.findLast((state) => learnedRate(state) === null) ?? {};
  const learned = learnedRate(states.at(-1) as RateState) ?? 0;
  expect([learned > 1, learned < rate]).toEqual([true, true]);
});

/** One request a second, each `ms` long. */
function rarely(first: RateState, ms: number, from: number, count: number): RateState {
  let state = first;
  for (let now = from; now < from + 1000 * count; now += 1000) {
    expect(wait(state, now)).toBe(0);
    state = send(state, now);
    state = end(state, state.lastSent, now + ms);
  }
  return state;
}

test("rare requests do not raise the rate of a limiter: it learns nothing while idle", () => {
  const gapAfter = (state: RateState, now: number) => wait(send(state, now), now);
  const begun = rarely(initialState({ concurrency: 4, maxRps: null }), 50, 0, 1);
  expect(gapAfter(begun, 1000)).toBe(25); // two in a round trip
  expect(gapAfter(rarely(begun, 50, 2000, 1000), 1_002_000)).toBe(25);
});

// Little's law: rate × latency requests in flight are enough for the rate. One more makes sure that the next
// is ready when one returns.
test.each([
  ["all alike", () => 100, 2],
  ["longer", () => 410, 6],
  ["one of them long", (index: number) => (index === 5 ? 2000 : 100), 21],
  ["one before them long", (index: number) => (index === 4 ? 2000 : 100), 2],
])(
  "requests in flight stay below the rate times the longest of the last 20 latencies, plus one: %s",
  (_, latency, most) => {
    let [state, now] = [initialState({ concurrency: 50, maxRps: 10 }, 1000), 0];
    for (let index = 0; index < 25; index += 1) {
      state = send(state, now);
      state = end(state, state.lastSent, now + latency(index));
      now += 3000;
    }
    for (let ms = wait(state, now); ms !== null; ms = wait(state, now)) {
      now += ms;
      state = ms === 0 ? send(state, now) : state;
    }
    expect(state.inFlight).toBe(most);
  },
);

test("a rate learned only from pauses does not delay the next run for minutes", () => {
  const begun = send(initialState({ concurrency: 4, maxRps: null }, 0.001), 0);
  const state = end(begun, begun.lastSent, 50);
  expect(wait(state, 50)).toBeCloseTo(6200); // 0.8 of one in five seconds
});

test("a refusal of a request sent before the pause adds only its own wait", () => {
  let state = initialState({ concurrency: 8, maxRps: null }, 1000);
  state = send(state, 0);
  state = end(state, state.lastSent, 100);
  const first = send(state, 1000);
  const second = send(first, 1010);
  const refused = end(second, first.lastSent, 1100, { kind: "refused", retryAfterMs: null });
  expect(wait({ ...refused, inFlight: 0 }, 1100)).toBe(375); // half of 500 ms, and half of the other half
  const again = end(refused, second.lastSent, 1110, { kind: "refused", retryAfterMs: null });
  expect(wait(again, 1110)).toBe(365);
  const told = end(refused, second.lastSent, 1110, { kind: "refused", retryAfterMs: 5000 });
  expect(wait(told, 1110)).toBe(5000);
});
