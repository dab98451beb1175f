import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parquetMetadata } from "hyparquet";
import { afterAll, describe, expect, test } from "vitest";
import { formatUnits } from "../../lambda/core/decimal.ts";
import type { ColumnValue, ColumnValues, ParquetColumn } from "../../lambda/formats/parquet/table.ts";
import { GROUP_ROWS } from "../../lambda/formats/parquet/table.ts";
import { decodeParquet, ParquetFile } from "../../lambda/formats/parquet.ts";
import { arbitraryTable, type DrawnTable } from "../support/arbitrary-table.ts";
import { duckdb } from "../support/duckdb.ts";
import { addTable, encodeParquet } from "../support/encode-parquet.ts";

const folder = mkdtempSync(join(tmpdir(), "fillbook-parquet-"));
afterAll(() => rmSync(folder, { recursive: true }));

const COLUMNS: readonly ParquetColumn[] = [
  { name: "id", kind: "text", required: true },
  { name: "at", kind: "time" },
  { name: "amount", kind: "decimal" },
  { name: "order", kind: "text", repeats: true },
  { name: "number", kind: "integer", required: true, repeats: true },
];

const LARGEST = 10n ** 38n - 1n;

const byColumns = (list: readonly (readonly (string | number | bigint | null)[])[]): ColumnValues[] =>
  COLUMNS.map((_, at) => list.map((row) => row[at] ?? null));

describe("Parquet", () => {
  test("has the intended types, as DuckDB reads them", async () => {
    const path = join(folder, "types.parquet");
    writeFileSync(path, encodeParquet(COLUMNS, byColumns([["a", 0, LARGEST, "a", 1]])));
    const types = await duckdb(`DESCRIBE SELECT * FROM '${path}'`);
    expect(types.map(({ column_type }) => column_type)).toEqual([
      "VARCHAR",
      "TIMESTAMP WITH TIME ZONE",
      "DECIMAL(38,18)",
      "VARCHAR",
      "INTEGER",
    ]);
  });

  test.each([10n ** 38n, -(10n ** 38n), 2n ** 200n])("refuses %s, which does not fit DECIMAL(38,18)", (amount) => {
    expect(() => encodeParquet(COLUMNS, byColumns([["a", 0, amount, null, 0]]))).toThrow(RangeError);
  });

  test("refuses a file with other columns", () => {
    const bytes = encodeParquet(COLUMNS.slice(1), byColumns([]).slice(1));
    expect(() => decodeParquet(COLUMNS, bytes)).toThrow("unexpected columns: at, amount, order, number");
  });

  test("streams each group as it is written, and reads as one table", async () => {
    const chunks: Uint8Array[] = [];
    const file = new ParquetFile(COLUMNS);
    const sizes = [GROUP_ROWS, 3, GROUP_ROWS + 1];
    for (const [group, size] of sizes.entries()) {
      const rows = Array.from({ length: size }, (_, row) => [`${group}:${row}`, row, BigInt(row), "o", group]);
      addTable(file, COLUMNS, byColumns(rows));
      const chunk = file.take();
      expect(chunk.length).toBeGreaterThan(size);
      chunks.push(chunk);
    }
    file.end();
    chunks.push(file.take());
    const bytes = Buffer.concat(chunks);
    const groups = parquetMetadata(Uint8Array.from(bytes).buffer).row_groups.map(({ num_rows }) => Number(num_rows));
    expect(groups).toEqual([GROUP_ROWS, 3, GROUP_ROWS, 1]);
    const [ids = []] = decodeParquet(COLUMNS, bytes);
    expect(ids).toEqual(sizes.flatMap((size, group) => Array.from({ length: size }, (_, row) => `${group}:${row}`)));
    const path = join(folder, "streamed.parquet");
    writeFileSync(path, bytes);
    const numbers = sizes.flatMap((size) => Array.from({ length: size }, (_, row) => BigInt(row)));
    const total = numbers.reduce((sum, units) => sum + units, 0n);
    expect(
      await duckdb(
        `SELECT count(*)::INT AS rows, (sum(amount) * 1000000000000000000)::HUGEINT::VARCHAR AS total FROM '${path}'`,
      ),
    ).toEqual([{ rows: numbers.length, total: total.toString() }]);
  });
});

/** DuckDB's client drops a byte order mark, so text is compared as bytes. */
function asDuckdbShows({ kind }: ParquetColumn, cell: ColumnValue): string | null {
  if (typeof cell === "bigint") {
    return formatUnits(cell, 18);
  }
  if (cell === null) {
    return null;
  }
  return kind === "text" ? Buffer.from(String(cell)).toString("hex").toUpperCase() : String(cell);
}

async function expectInDuckdb({ columns, table }: DrawnTable): Promise<void> {
  const path = join(folder, "drawn.parquet");
  writeFileSync(path, encodeParquet(columns, table));
  const shown = columns.map(({ name, kind }, at) => {
    const value = { text: `hex("${name}")`, time: `epoch_ms("${name}")`, decimal: `"${name}"`, integer: `"${name}"` };
    return `${value[kind]}::VARCHAR AS c${at}`;
  });
  const rows = await duckdb(`SELECT ${shown.join(", ")} FROM '${path}'`);
  const expected = columns.map((column, at) => (table[at] ?? []).map((cell) => asDuckdbShows(column, cell)));
  expect(columns.map((_, at) => rows.map((row) => row[`c${at}`]))).toEqual(expected);
}

test("drawn tables: our reader and DuckDB read every cell as it was written", async () => {
  for (const drawn of fc.sample(arbitraryTable, 25)) {
    expect(decodeParquet(drawn.columns, encodeParquet(drawn.columns, drawn.table))).toEqual(drawn.table);
    await expectInDuckdb(drawn);
  }
});
