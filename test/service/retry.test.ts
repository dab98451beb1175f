import { describe, expect, test } from "vitest";
import { networkFailure } from "../../lambda/service/classify-response.ts";
import { retryAfterMs } from "../../lambda/service/rate-limit-headers.ts";
import { backoffMs, nextDelayMs } from "../../lambda/service/retry.ts";
import { constantRandom } from "./client.ts";

const NOW = Date.UTC(2026, 2, 1, 12, 0, 0);

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
