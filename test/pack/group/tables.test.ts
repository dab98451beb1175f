import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { columnsOfAll, joinable } from "../../../lambda/pack/group/tables.ts";
import type { Column } from "../../../lambda/pack/make/maker.ts";
import { readCsv } from "../../support/rfc4180.ts";

const CELL = fc.oneof(fc.string(), fc.constantFrom("a", "", 'say "so"', "two\nlines", "two\r\nlines", ",", "é"));
const TABLE = fc.array(fc.tuple(CELL, CELL), { minLength: 1, maxLength: 8 });

function csvOf(records: readonly (readonly string[])[]): Buffer {
  const cells = (record: readonly string[]) => record.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
  return Buffer.from(`\uFEFF${records.map((record) => `${cells(record)}\r\n`).join("")}`);
}

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    await Promise.resolve();
    yield bytes.subarray(at, at + size);
  }
}

async function joined(
  records: readonly (readonly string[])[],
  size: number,
  joining: Parameters<typeof joinable>[1],
): Promise<readonly (readonly string[])[]> {
  let text = "";
  for await (const piece of joinable(cut(csvOf(records), size), joining)) {
    text += piece;
  }
  return text === "" ? [] : readCsv(text);
}

const wellFormed = (records: readonly (readonly string[])[]) =>
  records.map((record) => record.map((cell) => cell.toWellFormed()));

test("a cell is added before each row, for any quoting and any cut of the bytes", async () => {
  await fc.assert(
    fc.asyncProperty(TABLE, fc.integer({ min: 1, max: 20 }), async (drawn, size) => {
      const records = wellFormed(drawn);
      expect(await joined(records, size, { first: "main", places: null })).toEqual(
        records.slice(1).map((record) => ["main", ...record]),
      );
      expect(await joined(records, size, { first: null, places: null })).toEqual(records.slice(1));
    }),
  );
});

test("cells go to their column in the whole table, and missing columns are empty", async () => {
  await fc.assert(
    fc.asyncProperty(TABLE, fc.integer({ min: 1, max: 20 }), async (drawn, size) => {
      const records = wellFormed(drawn);
      expect(await joined(records, size, { first: "main", places: [1, -1, 0, -1] })).toEqual(
        records.slice(1).map(([a, b]) => ["main", b, "", a, ""]),
      );
    }),
  );
});

describe("the columns of several tables", () => {
  const columns = (names: string): Column[] =>
    [...names].map((name) => ({ name, kind: "text", description: name, required: true }));
  const namesOf = (...tables: readonly string[]) =>
    columnsOfAll(tables.map(columns))
      .map(({ name }) => name)
      .join("");

  test("include every table's columns, each at its place", () => {
    expect(namesOf("abcd", "abcd")).toBe("abcd");
    expect(namesOf("ad", "abcd")).toBe("abcd");
    expect(namesOf("abcd", "ad")).toBe("abcd");
    expect(namesOf("abd", "acd", "e")).toBe("eacbd");
    expect(namesOf("bc", "abc", "bcd")).toBe("abcd");
  });

  test("are required if every table requires them", () => {
    const required = columnsOfAll([columns("ab"), columns("b")]).filter((column) => column.required === true);
    expect(required.map(({ name }) => name)).toEqual(["b"]);
  });
});
