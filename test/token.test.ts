import { inspect } from "node:util";
import { expect, test } from "vitest";
import { fixedToken, Token } from "../lambda/token.ts";

const SECRET = "eyJhbGciOiJub25lIn0.c2VjcmV0.c2ln";

test("however it is shown, it reads [redacted]", () => {
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

test.each([
  ["", "the token is empty"],
  ["two words", "the token holds a space or a line break"],
  ["line\n", "the token holds a space or a line break"],
  ["a\u0000b", "the token holds a control character or a letter outside ASCII"],
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

test("a fixed source has no other token", async () => {
  const source = fixedToken(new Token(SECRET));
  expect((await source.refresh()).equals(await source.current())).toBe(true);
  expect((await source.current()).equals(new Token("other"))).toBe(false);
});
