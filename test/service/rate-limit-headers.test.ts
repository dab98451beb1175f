import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import {
  afterAnswer,
  NO_QUOTA,
  type Quota,
  type RateLimitHeader,
  rateLimitOf,
  stopMs,
} from "../../lambda/service/rate-limit-headers.ts";

const NOW = Date.UTC(2026, 2, 1, 12);

type Headers = Partial<Record<RateLimitHeader | "date", string>>;

function read(headers: Headers, now = NOW): Quota | null {
  return rateLimitOf((name) => headers[name], now);
}

describe("the remaining requests that an answer states", () => {
  test.each<[string, Headers, Quota | null]>([
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
    ["a time in the past", { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(NOW / 1000 - 1) }, null],
    ["more than a day", { "ratelimit-remaining": "0", "ratelimit-reset": "86401" }, null],
    ["halves of two pairs", { "x-ratelimit-remaining": "0", "ratelimit-reset": "60" }, null],
    ["words", { "ratelimit-remaining": "none", "ratelimit-reset": "soon" }, null],
    ["a list that is cut off", { ratelimit: '"a";r=0;t=60, "b' }, null],
    ["a header that is too long", { ratelimit: `"${"a".repeat(2000)}";r=0;t=60` }, null],
    ["nothing", {}, null],
  ])("%s", (_, headers, quota) => {
    expect(read(headers)).toEqual(quota);
  });

  const PIECE = fc.constantFrom(...'"a" r= t= ; , 0 60 - . " \\ : ?1 = b é'.split(" "), " ");
  const TEXT = fc.oneof(
    fc.string(),
    fc.array(PIECE, { maxLength: 40 }).map((pieces) => pieces.join("")),
  );
  property.prop([
    fc.record({ ratelimit: TEXT, "ratelimit-policy": TEXT, "x-ratelimit-remaining": TEXT, "x-ratelimit-reset": TEXT }),
  ])("any headers give null or possible values", (headers) => {
    const { remaining, resetMs } = read(headers) ?? { remaining: 0, resetMs: 0 };
    expect(remaining).toBeGreaterThanOrEqual(0);
    expect(resetMs >= 0 && resetMs <= 86_400_000).toBe(true);
  });
});

describe("a stop when nothing is left", () => {
  /** Each answer belongs to the request after the previous one, and comes at time 0. */
  function saying(...said: readonly (readonly [remaining: number, resetMs: number])[]) {
    return said.reduce(
      (known, [remaining, resetMs], index) => afterAnswer(known, { remaining, resetMs }, index + 1, 0),
      NO_QUOTA,
    );
  }

  test("ignores a late answer to an earlier request, and an answer without headers", () => {
    const known = afterAnswer(saying([9, 60_000]), { remaining: 0, resetMs: 60_000 }, 3, 0);
    expect(afterAnswer(known, { remaining: 9, resetMs: 100 }, 2, 0)).toBe(known);
    expect(afterAnswer(known, null, 4, 0)).toBe(known);
  });

  test("ignores a count that never goes down", () => {
    expect(stopMs(saying([0, 600_000], [0, 600_000], [0, 600_000]), 3, 0)).toBe(0);
  });

  test("ignores a stop so short that whole seconds are too coarse for it", () => {
    expect(stopMs(saying([1, 3000], [0, 3000]), 2, 0)).toBe(0);
    expect(stopMs(saying([1, 3001], [0, 3001]), 2, 0)).toBe(3001);
  });
});
