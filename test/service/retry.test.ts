import { describe, expect, test } from "vitest";
import { isRetryableStatus, networkFailure } from "../../lambda/service/classify-response.ts";
import { retryAfterMs } from "../../lambda/service/rate-limit-headers.ts";
import { backoffMs, nextDelayMs } from "../../lambda/service/retry.ts";
import { constantRandom } from "./client.ts";

const NOW = Date.UTC(2026, 2, 1, 12, 0, 0);

test("the statuses that allow another attempt", () => {
  const retryable = Array.from({ length: 500 }, (_, index) => 100 + index).filter(isRetryableStatus);
  expect(retryable.filter((status) => status < 500)).toEqual([408, 425, 429]);
  expect(retryable.filter((status) => status >= 500)).toHaveLength(100);
});

const BROKEN = [
  "ETIMEDOUT",
  "EAI_AGAIN",
  "UND_ERR_HEADERS_TIMEOUT",
  "ECONNRESET",
  "UND_ERR_SOCKET",
  "NOT_HTTP",
  "TOO_SLOW",
];

test.each([
  ...BROKEN.map((code) => [code, "broken"] as const),
  ["ECONNREFUSED", "refused"],
  ["ENOTFOUND", "wrong-address"],
  ["CERT_HAS_EXPIRED", "wrong-address"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "wrong-address"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "wrong-address"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "wrong-address"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "wrong-address"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "wrong-address"],
  ["UND_ERR_RES_EXCEEDED_MAX_SIZE", "too-large"],
  ["UND_ERR_INVALID_ARG", "fault"],
  ["", "fault"],
] as const)("%s: %s", (code, failure) => {
  expect(networkFailure(code)).toBe(failure);
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

  test("none", () => {
    expect(retryAfterMs(undefined, undefined, NOW)).toBeNull();
  });
});
