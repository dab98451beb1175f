import { expect, test } from "vitest";
import { CELL_COLUMNS, cellsOf, rowOf } from "../../lambda/formats/fill-columns.ts";
import { type FillFields, makeFill } from "../support/make-fill.ts";

const extra = (fields: Partial<FillFields>) => cellsOf(rowOf("main", makeFill(fields)), CELL_COLUMNS).at(-1);

test.each<[string, Partial<FillFields>, string | null]>([
  ["nothing, of a sound fill", {}, null],
  ["unknown fields, in one order", { extra: { z: 1, a: [true] } }, '{"a":[true],"z":1}'],
  ["a number that does not fit, under the interface's name", { fee: "1e400" }, '{"fees":"1e400"}'],
  ["beside unknown fields", { fee: "x", extra: { a: 1 } }, '{"a":1,"fees":"x"}'],
  [
    "both, where the service has a field of the same name",
    { price: "0.0000000001", quantity: "0.0000000001", extra: { notional: 5 } },
    '{"notional":5,"notional_":"0.00000000000000000001"}',
  ],
  ["text that is not Unicode", { market: null, extra: { market: "\uD800-USD" } }, '{"market":"\\ud800-USD"}'],
  [
    "a notional that does not fit",
    { price: "0.0000000001", quantity: "0.0000000001" },
    '{"notional":"0.00000000000000000001"}',
  ],
  ["a field named __proto__", { extra: JSON.parse('{"__proto__":{"a":1}}') }, '{"__proto__":{"a":1}}'],
])("extra holds %s", (_, fields, expected) => {
  expect(extra(fields)).toBe(expected);
});
