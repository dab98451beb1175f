import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLossless } from "../../lambda/formats/json.ts";
import { decodeRow, fillOfRow } from "../../lambda/formats/row.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { makeFill } from "../support/make-fill.ts";

// What each field becomes is tested with the pages of the service: test/service/decode.test.ts.

test("a fill's row gives the same fill again, whatever it holds", () => {
  fc.assert(
    fc.property(arbitraryFill, (fill) => {
      expect(fillOfRow(fill.row)).toEqual(fill);
      expect(Buffer.from(fill.row).toString()).toBe(fill.row);
      expect(fill.row).not.toContain("\n");
    }),
  );
});

test("a row is kept whole: unknown fields, nulls, numbers with their digits; the order of fields does not matter", () => {
  const row =
    '{"orderId":"o","z":null,"price":1.50,"matchId":"m","txCreated":1735689600123,"a":[1e400,{"y":1,"x":-0}]}';
  const decoded = decodeRow(parseLossless(row));
  const canonical =
    '{"a":[1e400,{"x":-0,"y":1}],"matchId":"m","orderId":"o","price":1.50,"txCreated":1735689600123,"z":null}';
  expect(decoded).toMatchObject({
    fill: { row: canonical, price: "1.50", extra: { a: ["1e400", { x: "-0", y: 1 }], z: null } },
  });
});

test("other content is another row", () => {
  const [one, same, other] = [{}, {}, { fee: "-1.20" }].map((fields) => makeFill(fields).row);
  expect([one === same, one === other]).toEqual([true, false]);
});

test("a text that is no row is a fault: only rows that were filed are read back", () => {
  expect(() => fillOfRow("{}")).toThrow("not the row of a fill: matchId is missing, not an id");
});
