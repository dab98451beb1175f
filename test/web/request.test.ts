import fc from "fast-check";
import { expect, test } from "vitest";
import { cookieOf } from "../../lambda/web/request.ts";

test("a cookie's value is found among any others, and reading never throws", () => {
  const valueIn = (cookie: string) => cookieOf({ headers: { cookie } }, "__Host-fillbook");
  const name = fc.stringMatching(/^[\w.!-]{1,20}$/).filter((one) => one !== "__Host-fillbook");
  const pair = fc.tuple(name, fc.stringMatching(/^[\x21-\x3a\x3c-\x7e]*$/)).map((parts) => parts.join("="));
  const value = fc.stringMatching(/^[\w.=-]{0,200}$/);
  fc.assert(
    fc.property(fc.array(pair), value, fc.array(pair), (before, given, after) => {
      expect(valueIn([...before, `__Host-fillbook=${given}`, ...after].join("; "))).toBe(given);
      expect(valueIn([...before, ...after].join("; "))).toBeNull();
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (header) => {
      expect(valueIn(header)).toBeNull();
    }),
  );
});
