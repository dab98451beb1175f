import fc from "fast-check";
import { expect, test } from "vitest";
import { joinable } from "../../../lambda/pack/group/tables.ts";
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
): Promise<string> {
  let text = "";
  for await (const piece of joinable(cut(csvOf(records), size), joining)) {
    text += piece;
  }
  return text;
}

test("a column stands before each record, however its cells are quoted and the bytes are cut", async () => {
  await fc.assert(
    fc.asyncProperty(TABLE, fc.integer({ min: 1, max: 20 }), async (drawn, size) => {
      const records = drawn.map((record) => record.map((cell) => cell.toWellFormed()));
      const added = { name: "account", value: "main" };
      const whole = await joined(records, size, { added, hasHeader: true });
      expect(whole.startsWith("\uFEFFaccount,")).toBe(true);
      expect(readCsv(whole.slice(1))).toEqual(records.map((record, at) => [at === 0 ? "account" : "main", ...record]));
      const below = await joined(records, size, { added, hasHeader: false });
      expect(below === "" ? [] : readCsv(below)).toEqual(records.slice(1).map((record) => ["main", ...record]));
    }),
  );
});

test("a table that names its account is left as it is", async () => {
  const records = [
    ["account", "x"],
    ["main", "1"],
  ];
  expect(await joined(records, 7, { added: null, hasHeader: true })).toBe(csvOf(records).toString());
});
