import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parquetMetadata } from "hyparquet";
import { describe, expect, test } from "vitest";
import {
  type ColumnValue,
  GROUP_ROWS,
  metadataOf,
  type ParquetColumn,
  ParquetFile,
} from "../../lambda/formats/parquet.ts";
import { temporaryFolder } from "../leftovers.ts";
import { ofUnits } from "../support/amounts.ts";
import { hostileText } from "../support/arbitrary-fill.ts";
import { duckdb } from "../support/duckdb.ts";

const folder = temporaryFolder();

type Row = readonly ColumnValue[];

const COLUMNS: readonly ParquetColumn[] = [
  { name: "id", kind: "text", required: true },
  { name: "at", kind: "time" },
  { name: "amount", kind: "decimal" },
  { name: "word", kind: "text" },
  { name: "number", kind: "integer", required: true },
];

const LARGEST = 10n ** 38n - 1n;
const LAST_MS = 8.64e15;

function encode(rows: readonly Row[]): Uint8Array {
  const file = new ParquetFile(COLUMNS);
  for (const row of rows) {
    file.add(row);
  }
  file.end();
  return file.take();
}

/** Values near each other or far apart, small ones and the largest that the type allows, and nulls. */
const row: fc.Arbitrary<Row> = fc.tuple<Row[number][]>(
  hostileText.map((text) => text.toWellFormed()),
  fc.option(fc.oneof(fc.integer({ min: -LAST_MS, max: LAST_MS }), fc.constantFrom(-LAST_MS, LAST_MS, 0, -1))),
  fc.option(
    fc
      .oneof(fc.bigInt({ min: -LARGEST, max: LARGEST }), fc.constantFrom(LARGEST, -LARGEST, 0n, 1n, -1n, 10n ** 18n))
      .map(ofUnits),
  ),
  fc.option(fc.oneof(fc.constantFrom("buy", "sell"), fc.string({ minLength: 60, maxLength: 300 }))),
  fc.oneof(fc.integer(), fc.nat({ max: 3 })),
);

/** DuckDB's client drops a byte order mark, so text is compared as bytes. */
function asDuckdbShows(cell: ColumnValue): string | null {
  if (typeof cell === "object") {
    const [whole = "", fraction = ""] = cell === null ? [] : String(cell).split(".");
    return cell === null ? null : `${whole}.${fraction.padEnd(18, "0")}`;
  }
  return typeof cell === "string" ? Buffer.from(cell).toString("hex").toUpperCase() : String(cell);
}

describe("Parquet", () => {
  test("has the intended types, as DuckDB reads them", async () => {
    const path = join(folder, "types.parquet");
    writeFileSync(path, encode([["a", 0, ofUnits(LARGEST), "a", 1]]));
    const types = await duckdb(`DESCRIBE SELECT * FROM '${path}'`);
    const names = ["VARCHAR", "TIMESTAMP WITH TIME ZONE", "DECIMAL(38,18)", "VARCHAR", "INTEGER"];
    expect(types.map(({ column_type }) => column_type)).toEqual(names);
  });

  test.each([
    ["no rows", fc.array(row, { maxLength: 0 })],
    ["few rows", fc.array(row, { maxLength: 20 })],
    ["no value in a column", fc.array(row.map(([id = ""]): Row => [id, null, null, null, 0]))],
    ["many rows", fc.array(row, { minLength: 300, maxLength: 300 })],
  ])("%s: DuckDB reads every cell exactly as it was written", async (_, rows) => {
    const path = join(folder, "drawn.parquet");
    for (const drawn of fc.sample(rows, 5)) {
      writeFileSync(path, encode(drawn));
      const shown = ["hex(id)", 'epoch_ms("at")', "amount", "hex(word)", "number"].map(
        (one, at) => `${one}::VARCHAR c${at}`,
      );
      const read = await duckdb(`SELECT ${shown.join(", ")} FROM '${path}'`);
      expect(read.map((one) => Object.values(one))).toEqual(drawn.map((cells) => cells.map(asDuckdbShows)));
    }
  });

  test("equal cells give equal bytes", () => {
    const [rows = []] = fc.sample(fc.array(row, { minLength: 40 }), 1);
    expect(Buffer.compare(encode(rows), encode(rows))).toBe(0);
  });

  test("streams each group as it is full, and reads as one table", async () => {
    const rows = 2 * GROUP_ROWS + 1;
    const chunks: Uint8Array[] = [];
    const file = new ParquetFile(COLUMNS, { "fillbook.manifest": "7" });
    for (let number = 0; number < rows; number += 1) {
      file.add([`${number}`, number, ofUnits(BigInt(number)), "o", number]);
      chunks.push(file.take());
    }
    file.end();
    chunks.push(file.take());
    expect(chunks.flatMap((chunk, at) => (chunk.length > 100 ? [at + 1] : []))).toEqual([
      GROUP_ROWS,
      2 * GROUP_ROWS,
      rows + 1,
    ]);
    const bytes = Buffer.concat(chunks);
    const groups = parquetMetadata(Uint8Array.from(bytes).buffer).row_groups.map(({ num_rows }) => Number(num_rows));
    expect(groups).toEqual([GROUP_ROWS, GROUP_ROWS, 1]);
    expect(metadataOf(bytes)).toEqual({ "fillbook.manifest": "7" });
    const path = join(folder, "streamed.parquet");
    writeFileSync(path, bytes);
    const total = (BigInt(rows) * BigInt(rows - 1)) / 2n;
    expect(
      await duckdb(
        `SELECT count(*)::INT AS rows, (sum(amount) * 1000000000000000000)::HUGEINT::VARCHAR AS total FROM '${path}'`,
      ),
    ).toEqual([{ rows, total: total.toString() }]);
  });

  test("what is no Parquet file has no metadata", () => {
    expect(metadataOf(Buffer.from("PAR1 and nothing more"))).toBeNull();
  });
});
