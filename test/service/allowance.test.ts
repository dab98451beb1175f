import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { type Allowance, type AllowanceHeader, allowanceOf } from "../../lambda/service/allowance.ts";
import { stoppingAtNone } from "../../lambda/service/allowed-pace.ts";
import { createPace, type Pace, type Sent } from "../../lambda/service/pace.ts";

const NOW = Date.UTC(2026, 2, 1, 12);

type Headers = Partial<Record<AllowanceHeader | "date", string>>;

function read(headers: Headers, now = NOW): Allowance | null {
  return allowanceOf((name) => headers[name], now);
}

describe("what an answer says is left", () => {
  test.each<[string, Headers, Allowance | null]>([
    ["the draft", { ratelimit: '"default";r=50;t=30' }, { remaining: 50, resetMs: 30_000 }],
    [
      "whose time is the policy's",
      { ratelimit: '"daily";r=1', "ratelimit-policy": '"burst";q=100;w=60,"daily";q=1000;w=86400' },
      { remaining: 1, resetMs: 86_400_000 },
    ],
    [
      "of several, the one that ends first",
      { ratelimit: '"burst";r=3;t=2, "hourly";r=5;t=900;pk=:c2VjcmV0:' },
      { remaining: 3, resetMs: 2000 },
    ],
    [
      "of two that are used up, the later",
      { ratelimit: '"a";r=0;t=9, "b";r=0;t=60' },
      { remaining: 0, resetMs: 60_000 },
    ],
    ["a comma and a quote in a name", { ratelimit: '"a, \\"b\\";r=0;t=9";r=7;t=8' }, { remaining: 7, resetMs: 8000 }],
    ["the older pair", { "ratelimit-remaining": "4", "ratelimit-reset": "12" }, { remaining: 4, resetMs: 12_000 }],
    ["in seconds", { "x-ratelimit-remaining": "598.0", "x-ratelimit-reset": "1.5" }, { remaining: 598, resetMs: 1500 }],
    [
      "as a time in seconds",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 + 90) },
      { remaining: 0, resetMs: 90_000 },
    ],
    [
      "as a time in ms, by the service's own clock",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW), date: "Sun, 01 Mar 2026 11:59:00 GMT" },
      { remaining: 0, resetMs: 60_000 },
    ],
    ["a time that is past", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 - 1) }, null],
    ["more than a day", { "ratelimit-remaining": "0", "ratelimit-reset": "86401" }, null],
    ["a time in another century", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999" }, null],
    ["half of a pair", { "x-ratelimit-remaining": "0" }, null],
    ["halves of two pairs", { "x-ratelimit-remaining": "0", "ratelimit-reset": "60" }, null],
    ["a negative number", { "ratelimit-remaining": "-1", "ratelimit-reset": "60" }, null],
    ["words", { "ratelimit-remaining": "none", "ratelimit-reset": "soon" }, null],
    ["no time at all", { ratelimit: '"default";r=50' }, null],
    ["no name", { ratelimit: "r=50;t=30" }, null],
    ["a list that breaks off", { ratelimit: '"a";r=0;t=60, "b' }, null],
    ["a number with a sign", { ratelimit: '"default";r=-1;t=30' }, null],
    ["a header without end", { ratelimit: `"${"a".repeat(2000)}";r=0;t=60` }, null],
    ["nothing", {}, null],
  ])("%s", (_, headers, allowance) => {
    expect(read(headers)).toEqual(allowance);
  });

  const PIECE = fc.constantFrom(
    '"a"',
    "r=",
    "t=",
    ";",
    ",",
    " ",
    "0",
    "60",
    "-",
    ".",
    '"',
    "\\",
    ":",
    "?1",
    "=",
    "b",
    "é",
  );
  const TEXT = fc.oneof(
    fc.string(),
    fc.array(PIECE, { maxLength: 40 }).map((pieces) => pieces.join("")),
  );
  property.prop([
    fc.record({ ratelimit: TEXT, "ratelimit-policy": TEXT, "x-ratelimit-remaining": TEXT, "x-ratelimit-reset": TEXT }),
  ])("whatever the headers are: null, or what can be", (headers) => {
    const { remaining, resetMs } = read(headers) ?? { remaining: 0, resetMs: 0 };
    expect(remaining).toBeGreaterThanOrEqual(0);
    expect(resetMs >= 0 && resetMs <= 86_400_000).toBe(true);
  });
});

describe("a pace that stops when nothing is left", () => {
  /** Free but for what the answers say: each is there at once. */
  function allowed(mostWaitMs = 3_600_000) {
    let [now, inFlight] = [0, 0];
    const free: Pace = {
      waitMs: () => 0,
      hasRoom: () => true,
      sent: (at) => ({ order: ++inFlight, at, previousAt: 0, event: 0, inFlight: 1, heldBy: null }),
      answered: () => undefined,
      failed: () => undefined,
      refused: () => undefined,
      pauseMs: () => 0,
      learnedRate: () => null,
    };
    const pace = stoppingAtNone(free, () => mostWaitMs);
    return {
      pace,
      at: (time: number) => {
        now = time;
      },
      send: (): Sent => pace.sent(now),
      answer: (sent: Sent, remaining: number, resetMs: number) => pace.answered(sent, now, { remaining, resetMs }),
      ask(remaining: number, resetMs: number) {
        pace.answered(pace.sent(now), now, { remaining, resetMs });
      },
      wait: () => pace.waitMs(now),
    };
  }

  test("goes on until nothing is left, and then when there is more", () => {
    const { pace, at, ask, wait } = allowed();
    ask(2, 60_000);
    ask(1, 60_000);
    expect(wait()).toBe(0);
    ask(0, 60_000);
    expect([wait(), pace.hasRoom(0)]).toEqual([60_000, false]);
    at(59_999);
    expect(wait()).toBe(1);
    at(60_000);
    expect([wait(), pace.hasRoom(60_000)]).toEqual([0, true]);
  });

  test("counts what was sent since", () => {
    const { send, answer, wait } = allowed();
    const sent = [send(), send(), send(), send()] as const;
    answer(sent[0], 4, 60_000);
    answer(sent[1], 3, 60_000);
    expect(wait()).toBe(0); // two are on their way
    send();
    expect(wait()).toBe(60_000);
  });

  test("an answer to what was sent earlier, which comes later, says nothing new", () => {
    const { send, answer, ask, wait } = allowed();
    ask(9, 60_000);
    const [first, second] = [send(), send()];
    answer(second, 0, 60_000);
    answer(first, 9, 100);
    expect(wait()).toBe(60_000);
  });

  test("a count that never goes down is not believed", () => {
    const { ask, wait } = allowed();
    for (let index = 0; index < 5; index += 1) {
      ask(0, 600_000);
      expect(wait()).toBe(0);
    }
  });

  test("nor a stop that the run has no time for, nor one that the seconds of a header are too coarse for", () => {
    const short = allowed(30_000);
    short.ask(1, 40_000);
    short.ask(0, 40_000);
    expect(short.wait()).toBe(0);
    short.at(10_000);
    expect(short.wait()).toBe(30_000);
    const coarse = allowed();
    coarse.ask(1, 3000);
    coarse.ask(0, 3000);
    expect(coarse.wait()).toBe(0);
  });

  const STEP = fc.record({
    ms: fc.integer({ min: 1, max: 2000 }),
    allowance: fc.option(
      fc.record({ remaining: fc.integer({ min: 0, max: 9 }), resetMs: fc.integer({ min: 0, max: 86_400_000 }) }),
    ),
  });
  property.prop([
    fc.array(STEP, { minLength: 1, maxLength: 200 }),
    fc.constantFrom(null, 0.5, 3),
    fc.integer({ min: 0, max: 60_000 }),
  ])(
    "whatever the answers say, it sends no sooner than the pace alone, nor longer after it than a run waits",
    (steps, maxRps, mostWaitMs) => {
      const own = createPace({ concurrency: 1, maxRps, draw: () => 0.5 });
      const pace = stoppingAtNone(own, () => mostWaitMs);
      let now = 0;
      for (const { ms, allowance } of steps) {
        const alone = own.waitMs(now) ?? 0;
        const waits = pace.waitMs(now) ?? 0;
        expect(waits === 0 ? alone : 0).toBe(0);
        let stopped = 0;
        for (let wait = waits; wait > 0; wait = pace.waitMs(now) ?? 0) {
          now += wait;
          stopped += wait;
        }
        expect(stopped).toBeLessThanOrEqual(alone + mostWaitMs + 1e-6);
        const sent = pace.sent(now);
        now += ms;
        pace.answered(sent, now, allowance);
      }
    },
  );
});
