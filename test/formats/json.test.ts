import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  canonicalJson,
  isTooDeep,
  MAX_DEPTH,
  numberOf,
  numberText,
  parseLossless,
  settled,
} from "../../lambda/formats/json.ts";

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

/** A number as a service may write it. */
const numberSource = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,25})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?$/),
  fc.constantFrom("-0", "1.50", "1e400", "123456789012345", "1234567890123456", "0.1"),
);
/** JSON text without spaces, with the keys of its objects in order. */
const { source } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { maxDepth: 4 },
    { weight: 4, arbitrary: numberSource },
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
    fc.constantFrom("null", "true", "false"),
    fc.array(tie("source"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
    fc.dictionary(fc.string({ unit: "binary" }), tie("source"), { maxKeys: 3, noNullPrototype: true }).map((fields) => {
      const keys = Object.keys(fields).toSorted();
      return `{${keys.map((key) => `${JSON.stringify(key)}:${fields[key]}`).join(",")}}`;
    }),
  ),
}));

test("every number keeps its digits, at any depth, and every text its letters", () => {
  fc.assert(
    fc.property(source, (inner) => {
      const text = `{"x":${inner}}`;
      expect(canonicalJson(parseLossless(text))).toBe(text);
      expect(canonicalJson(parseLossless(text, true))).toBe(text);
    }),
  );
});

test("keys that are alike when they are joined are still told apart", () => {
  const texts = ['{"a\\u0000b":1,"c":2}', '{"a":1,"b\\u0000c":2}', '{"a":1,"b":2,"c":3}'];
  expect(texts.map((text) => canonicalJson(JSON.parse(text)))).toEqual(texts);
});

test("a number's text and value; what is none has neither", () => {
  const [odd, whole, text, none] = parseLossless('[1.50,7,"7",null]') as unknown[];
  expect([odd, whole, text, none].map(numberText)).toEqual(["1.50", "7", null, null]);
  expect([odd, whole, text, none].map(numberOf)).toEqual([1.5, 7, null, null]);
});

test("as plain data: whole numbers of up to 15 digits stay numbers, others become their text", () => {
  const value = parseLossless('{"a":[7,1.50,-0,1e3,999999999999999,1000000000000000],"__proto__":{"b":1.0}}');
  expect(JSON.stringify(settled(value))).toBe(
    '{"a":[7,"1.50","-0",1000,999999999999999,"1000000000000000"],"__proto__":{"b":1}}',
  );
});

test("nesting is bounded", () => {
  const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth));
  expect([MAX_DEPTH, MAX_DEPTH + 1].map((depth) => isTooDeep(nested(depth)))).toEqual([false, true]);
});
