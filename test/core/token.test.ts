import { inspect } from "node:util";
import { expect, test } from "vitest";
import { fixedToken, Token } from "../../lambda/core/token.ts";

const SECRET = "eyJhbGciOiJub25lIn0.c2VjcmV0.c2ln";

test("every way to print it gives [redacted]", () => {
  const token = new Token(SECRET);
  expect(String(token)).toBe("[redacted]");
  expect(`${token}`).toBe("[redacted]");
  expect(JSON.stringify({ token })).toBe('{"token":"[redacted]"}');
  expect(inspect({ token }, { depth: Number.POSITIVE_INFINITY, showHidden: true })).toBe("{ token: [redacted] }");
  expect(inspect(token, { customInspect: false, showHidden: true })).not.toContain("secret");
  expect(JSON.stringify(structuredClone(token))).not.toContain(SECRET);
  expect(Object.values(token)).toEqual([]);
  expect(token.reveal()).toBe(SECRET);
});

const jwt = (claims: unknown) => ["e30", Buffer.from(JSON.stringify(claims)).toString("base64url"), "c2ln"].join(".");

test("a JWT's subject tells traders apart, by a hash that does not reveal it", () => {
  const hers = new Token(jwt({ sub: "her-id", exp: 1 })).subjectHash("main");
  expect(hers).toMatch(/^[0-9a-f]{64}$/);
  expect(new Token(jwt({ sub: "her-id", exp: 2 })).subjectHash("main")).toBe(hers);
  expect(new Token(jwt({ sub: "his-id" })).subjectHash("main")).not.toBe(hers);
  expect(new Token(jwt({ sub: "her-id" })).subjectHash("other")).not.toBe(hers);
});

test.each(["opaque", "a.b.c", SECRET, jwt({ sub: 7 }), jwt({ sub: "" }), `${jwt({ sub: "x" })}.d.e`])(
  "a token without a subject has none: %j",
  (text) => {
    expect(new Token(text).subjectHash("main")).toBeNull();
  },
);

test.each([
  ["", "the token is empty"],
  ["two words", "the token holds a space or a line break"],
  ["tökén", "the token holds a control character or a letter outside ASCII"],
])("not a token: %j", (text, message) => {
  expect(() => new Token(text)).toThrow(
    expect.objectContaining({
      kind: "usage",
      message,
      hint: 'give the token alone, without "Bearer " before it and without a line break after it',
    }),
  );
});

test("a fixed source always gives the same token", async () => {
  const source = fixedToken(new Token(SECRET));
  expect((await source.refresh()).equals(await source.current())).toBe(true);
  expect((await source.current()).equals(new Token("other"))).toBe(false);
});
