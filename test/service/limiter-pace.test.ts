import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { createPace, type Pace, type Sent } from "../../lambda/service/pace.ts";
import { prng } from "../support/prng.ts";

interface Flight {
  readonly sent: Sent;
  readonly at: number;
  readonly how: "answered" | "failed" | number | null;
}

interface Played {
  readonly sends: readonly number[];
  readonly mostInFlight: number;
  /** From when a refusal is known to the end of the wait that it asks for. */
  readonly pauses: readonly { readonly from: number; readonly to: number }[];
  readonly doubledProbes: number;
}

/** Asks as often as the pace lets it; `flights` say after how many ms each request ends, and how. */
function play(pace: Pace, flights: readonly { readonly ms: number; readonly how: Flight["how"] }[]): Played {
  const open: Flight[] = [];
  const sends: number[] = [];
  const pauses: { from: number; to: number }[] = [];
  const left = flights.slice();
  let [now, mostInFlight, doubledProbes, isPaused] = [0, 0, 0, false];
  const send = (): void => {
    const { ms, how } = left.shift() ?? { ms: 0, how: "failed" };
    open.push({ sent: pace.sent(now), at: now + ms, how });
    open.sort((a, b) => a.at - b.at);
    sends.push(now);
    mostInFlight = Math.max(mostInFlight, open.length);
    doubledProbes += isPaused && open.length > 1 ? 1 : 0;
  };
  const end = ({ sent, how }: Flight): void => {
    if (how === "answered") {
      pace.answered(sent, now, null);
      isPaused &&= sent.at < (pauses.at(-1)?.from ?? 0);
    } else if (how === "failed") {
      pace.failed();
    } else {
      pace.refused(sent, now, how);
      pauses.push({ from: now, to: now + (how ?? 0) });
      isPaused = true;
    }
  };
  while (left.length > 0) {
    const waitMs = pace.waitMs(now);
    const [next] = open;
    const wakeAt = waitMs === null ? Number.POSITIVE_INFINITY : now + Math.ceil(waitMs);
    if (waitMs === 0) {
      send();
    } else if (next === undefined || wakeAt < next.at) {
      now = wakeAt;
    } else {
      open.shift();
      now = next.at;
      end(next);
    }
  }
  return { sends, mostInFlight, pauses, doubledProbes };
}

const HOW = fc.oneof(
  { weight: 12, arbitrary: fc.constant<"answered">("answered") },
  { weight: 1, arbitrary: fc.constant<"failed">("failed") },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 400_000 }) },
);
const FLIGHTS = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 3000 }), how: HOW }), {
  minLength: 1,
  maxLength: 300,
});
const CONCURRENCY = fc.integer({ min: 1, max: 20 });
const RPS = fc.constantFrom(null, 0.5, 3, 20);
const LEARNED = fc.option(fc.double({ min: 0.01, max: 1000, noNaN: true }));

describe("whatever the service answers", () => {
  test.prop([FLIGHTS, CONCURRENCY, RPS, LEARNED, fc.integer()])(
    "no more in flight than allowed, nothing sent in a pause, one probe after it, and the user's rate is kept",
    (flights, concurrency, maxRps, learnedRate, seed) => {
      const pace = createPace({ concurrency, maxRps, draw: prng(seed).next, learnedRate });
      const { sends, mostInFlight, pauses, doubledProbes } = play(pace, flights);
      expect(mostInFlight).toBeLessThanOrEqual(concurrency);
      expect(pauses.filter(({ from, to }) => sends.some((at) => at > from && at < to))).toEqual([]);
      expect(doubledProbes).toBe(0);
      const gaps = sends.slice(1).map((at, index) => at - (sends[index] ?? 0));
      expect(gaps.filter((gap) => maxRps !== null && gap < 1000 / maxRps - 1e-6)).toEqual([]);
    },
  );

  test.prop([FLIGHTS, CONCURRENCY, fc.integer()])(
    "a refusal without a time pauses for a quarter of a second at least",
    (flights, concurrency, seed) => {
      const { sends, pauses } = play(createPace({ concurrency, maxRps: null, draw: prng(seed).next }), flights);
      const events = pauses.filter(({ from }, index) => from >= (pauses[index - 1]?.from ?? -1000) + 250);
      expect(events.filter(({ from }) => sends.some((at) => at > from && at < from + 250))).toEqual([]);
    },
  );
});

/** Requests of `ms` each, one a second. */
function rarely(pace: Pace, ms: number, from: number, count: number): number {
  for (let now = from; now < from + 1000 * count; now += 1000) {
    expect(pace.waitMs(now)).toBe(0);
    pace.answered(pace.sent(now), now + ms, null);
  }
  return from + 1000 * count;
}

/** Whole ms after a request that is sent now until another may go. Looks only: nothing waits. */
function gapAfter(pace: Pace, now: number): number {
  const sent = pace.sent(now);
  let gapMs = 0;
  while (!pace.hasRoom(now + gapMs)) {
    gapMs += 1;
  }
  pace.answered(sent, now + 50, null);
  return gapMs;
}

describe("what is asked for rarely does not raise the rate: nothing is learned from an idle limiter", () => {
  test("of which nothing is known", () => {
    const pace = createPace({ concurrency: 4, maxRps: null, draw: () => 0.5 });
    const begun = rarely(pace, 50, 0, 1);
    const gapMs = gapAfter(pace, begun);
    expect(gapMs).toBe(25); // two in a round trip
    expect(gapAfter(pace, rarely(pace, 50, begun + 1000, 1000))).toBe(gapMs);
  });

  test("of which something is", () => {
    const pace = createPace({ concurrency: 4, maxRps: null, draw: () => 0.5, learnedRate: 10 });
    const begun = rarely(pace, 50, 0, 1);
    const gapMs = gapAfter(pace, begun);
    expect(gapMs).toBe(125); // 0.8 of ten a second
    expect(gapAfter(pace, rarely(pace, 50, begun + 1000, 1000))).toBe(gapMs);
    expect(pace.learnedRate()).toBe(10);
  });
});

// Little's law: so many in flight are enough for the rate. One more, so that the next is there when one comes back.
describe("in flight no more than the rate times the longest of the last 20 latencies, and one", () => {
  test.each([
    ["all alike", () => 100, 2],
    ["longer", () => 410, 6],
    ["one of them long", (index: number) => (index === 5 ? 2000 : 100), 21],
    ["one before them long", (index: number) => (index === 4 ? 2000 : 100), 2],
  ])("%s", (_, latency, most) => {
    const pace = createPace({ concurrency: 50, maxRps: 10, draw: () => 0.5, learnedRate: 1000 });
    let now = 0;
    for (let index = 0; index < 25; index += 1) {
      pace.answered(pace.sent(now), now + latency(index), null);
      now += 3000;
    }
    let inFlight = 0;
    for (let waitMs = pace.waitMs(now); waitMs !== null; waitMs = pace.waitMs(now)) {
      now += waitMs;
      if (waitMs === 0) {
        pace.sent(now);
        inFlight += 1;
      }
    }
    expect(inFlight).toBe(most);
  });
});

test("a rate that was learned from pauses alone does not hold up the next run for minutes", () => {
  const pace = createPace({ concurrency: 4, maxRps: null, draw: () => 0.5, learnedRate: 0.001 });
  pace.answered(pace.sent(0), 50, null);
  expect([pace.hasRoom(6249), pace.hasRoom(6250)]).toEqual([false, true]); // 0.8 of one in five seconds
});
