import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../lambda/formats/json.ts";

test("the canonical text of any JSON value parses back to the value", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepStrictEqual(JSON.parse(canonicalJson(value)), value);
    }),
  );
});

test("extreme numbers, as JSON.parse reads them, come back too", () => {
  for (const text of ["-0", "1e400", "-1e400", "[1e-400,0.1]"]) {
    assert.deepStrictEqual(JSON.parse(canonicalJson(JSON.parse(text))), JSON.parse(text));
  }
});

test("the order of fields does not matter, at any depth", () => {
  const one = JSON.parse('{"b":{"d":1,"c":[{"y":1,"x":2}]},"__proto__":{"z":1},"a":2}');
  const other = JSON.parse('{"a":2,"b":{"c":[{"x":2,"y":1}],"d":1},"__proto__":{"z":1}}');
  expect(canonicalJson(one)).toBe(canonicalJson(other));
  expect(canonicalJson(one)).toContain('"__proto__"');
});

test("lone surrogates are escaped, so that the text is valid UTF-8", () => {
  expect(canonicalJson({ "\uD800": "\uDC00" })).toBe('{"\\ud800":"\\udc00"}');
});

test.each([undefined, Number.NaN, () => 1, { a: undefined }])("%s is not a JSON value", (value) => {
  expect(() => canonicalJson(value)).toThrow("not a JSON value");
});
