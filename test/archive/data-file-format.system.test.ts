import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { DataFileEncoder, decodeDataFile } from "../../lambda/archive/data-file-format.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { duckdb } from "../support/duckdb.ts";
import { makeFill } from "../support/make-fill.ts";
import { packableFill, packedFills } from "../support/usual-page.ts";

/** Returns only the bytes. */
const encoder = new DataFileEncoder();
const encodeDataFile = (account: string, fills: readonly Fill[]) => encoder.encode(account, fills).bytes;

const folder = mkdtempSync(join(tmpdir(), "fillbook-data-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a data file", () => {
  test("gives back every fill that the type allows, exactly", () => {
    fc.assert(
      fc.property(fc.array(arbitraryFill, { maxLength: 20 }), (fills) => {
        assert.deepStrictEqual(decodeDataFile(encodeDataFile("main", fills)), fills);
      }),
      { numRuns: 300 },
    );
  });

  test("has the same bytes, sums and exceptions for packed fills, and for a mixture", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(packableFill, fc.boolean()), { maxLength: 20 }), (some) => {
        const plain = some.map(([fill]) => fill);
        const packed = packedFills(plain);
        const mixed = some.map(([fill, isPlain], place) => (isPlain ? fill : (packed[place] as Fill)));
        const file = encoder.encode("main", plain);
        for (const one of [encoder.encode("main", packed), encoder.encode("main", mixed)]) {
          expect(Buffer.from(one.bytes).equals(file.bytes)).toBe(true);
          expect(one.exceptions).toBe(file.exceptions);
          expect(one.sums).toEqual(file.sums);
        }
        assert.deepStrictEqual(decodeDataFile(file.bytes), plain);
      }),
      { numRuns: 300 },
    );
  });

  test("has the same bytes for the same fills, whatever the order of their unknown fields", () => {
    const one = [makeFill({ extra: { a: 1, b: { c: 2, d: 3 } } })];
    const other = [makeFill({ extra: { b: { d: 3, c: 2 }, a: 1 } })];
    expect(Buffer.from(encodeDataFile("main", one)).equals(encodeDataFile("main", other))).toBe(true);
  });

  test("keeps its order over several row groups", () => {
    const fills = Array.from({ length: 30_000 }, (_, row) =>
      makeFill({ matchId: `m${row}`, txCreated: row, price: `${row}.5` }),
    );
    const read = decodeDataFile(encodeDataFile("main", fills));
    expect(read.length).toBe(fills.length);
    expect(
      read.every(
        ({ matchId, txCreated, price }, row) => matchId === `m${row}` && txCreated === row && price === `${row}.5`,
      ),
    ).toBe(true);
  });

  test("opens in DuckDB with every digit", async () => {
    const path = join(folder, "data-file.parquet");
    writeFileSync(
      path,
      encodeDataFile("main", [makeFill({ price: "12345678901234567890.123456789012345678", quantity: "1.50" })]),
    );
    expect(
      await duckdb(`SELECT account, price::VARCHAR AS price, quantity::VARCHAR AS quantity FROM '${path}'`),
    ).toEqual([
      { account: "main", price: "12345678901234567890.123456789012345678", quantity: "1.500000000000000000" },
    ]);
  });

  test("that is cut off anywhere gives an error", () => {
    const bytes = encodeDataFile("main", [makeFill({}), makeFill({ matchId: "2", extra: { a: 1 } })]);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => decodeDataFile(bytes.subarray(0, length))).toThrow(Error);
    }
  });
});
