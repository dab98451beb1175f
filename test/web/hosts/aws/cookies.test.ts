import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cookieOf,
  FLOW,
  flowCookie,
  forgotten,
  REFRESH,
  SESSION,
  sessionCookie,
} from "../../../../lambda/web/hosts/aws/cookies.ts";

describe("the value of a cookie", () => {
  test("is found among any others, and never throws", () => {
    const name = fc.stringMatching(/^[\w.!-]{1,20}$/).filter((one) => one !== SESSION);
    const pair = fc.tuple(name, fc.stringMatching(/^[\x21-\x3a\x3c-\x7e]*$/)).map((parts) => parts.join("="));
    const value = fc.stringMatching(/^[\w.=-]{0,200}$/);
    fc.assert(
      fc.property(fc.array(pair), value, fc.array(pair), (before, given, after) => {
        expect(cookieOf([...before, `${SESSION}=${given}`, ...after].join("; "), SESSION)).toBe(given);
        expect(cookieOf([...before, ...after].join("; "), SESSION)).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (header) => {
        expect(cookieOf(header, REFRESH)).toBeNull();
      }),
    );
  });
});

// What a `__Host-` name asks for (RFC 6265bis, 4.1.3.2): Secure, Path=/ and no Domain; all three are also not for scripts.
test.each([
  [sessionCookie(SESSION, "a.b.c"), "__Host-fillbook=a.b.c; Path=/; Secure; HttpOnly; SameSite=Strict"],
  [sessionCookie(REFRESH, "r"), "__Host-fillbook-refresh=r; Path=/; Secure; HttpOnly; SameSite=Strict"],
  [flowCookie("f", 600), "__Host-fillbook-flow=f; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600"],
  [forgotten(SESSION), "__Host-fillbook=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0"],
  [forgotten(FLOW), "__Host-fillbook-flow=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0"],
])("%s", (cookie, expected) => {
  expect(cookie).toBe(expected);
});
