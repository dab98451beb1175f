import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { networkFailure } from "../../lambda/service/classify-response.ts";
import {
  afterAnswer,
  NO_QUOTA,
  type Quota,
  type RateLimitHeader,
  rateLimitOf,
  retryAfterMs,
  stopMs,
} from "../../lambda/service/rate-limit-headers.ts";
import { backoffMs, nextDelayMs } from "../../lambda/service/retry.ts";
import { constantRandom } from "./client.ts";

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

test.each([
  ["broken", "ETIMEDOUT EAI_AGAIN UND_ERR_HEADERS_TIMEOUT ECONNRESET UND_ERR_SOCKET NOT_HTTP TOO_SLOW"],
  ["refused", "ECONNREFUSED"],
  ["wrong-address", "ENOTFOUND CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN"],
  ["wrong-address", "UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER"],
  ["too-large", "UND_ERR_RES_EXCEEDED_MAX_SIZE"],
  ["fault", "UND_ERR_INVALID_ARG "],
])("%s: %s", (failure, codes) => {
  expect(new Set(codes.split(" ").map(networkFailure))).toEqual(new Set([failure]));
});

test("full jitter below 500 ms, doubled each time up to 30 s; eight attempts", () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(backoffMs)).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000]);
  expect(nextDelayMs(3, constantRandom(0))).toBe(0);
  expect(nextDelayMs(3, constantRandom(0.5))).toBe(1000);
  expect(nextDelayMs(7, constantRandom(0.5))).toBe(15_000);
  expect(nextDelayMs(8, constantRandom(0.5))).toBeNull();
});

describe("Retry-After", () => {
  test.each([
    [undefined, null],
    ["0", 0],
    ["301", 301_000],
    [" 1.5 ", 1500],
    ["Sun, 01 Mar 2026 12:05:01 GMT", 301_000],
    ["Sunday, 01-Mar-26 12:05:01 GMT", 301_000],
    ["Sun Mar  1 12:05:01 2026", 301_000],
    ["soon", null],
    ["-5", null],
    ["9".repeat(400), null],
  ])("%s", (text, ms) => {
    expect(retryAfterMs(text, undefined, NOW)).toBe(ms);
  });

  test("a date counts from the answer's own date if our clock is ahead, and from our clock if it is behind", () => {
    const until = "Sun, 01 Mar 2026 12:05:00 GMT";
    expect(retryAfterMs(until, "Sun, 01 Mar 2026 11:59:00 GMT", NOW)).toBe(360_000);
    expect(retryAfterMs(until, "Sun, 01 Mar 2026 12:01:00 GMT", NOW)).toBe(300_000);
    expect(retryAfterMs(until, "Sun, 01 Mar 2020 12:00:00 GMT", NOW)).toBe(300_000);
  });
});
