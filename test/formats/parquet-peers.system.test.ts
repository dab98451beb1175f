import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parquetMetadata, snappyUncompress } from "hyparquet";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { afterAll, describe, expect, test } from "vitest";
import { formatUnits } from "../../lambda/core/decimal.ts";
import { ByteSink } from "../../lambda/formats/parquet/byte-sink.ts";
import { compress, uncompress } from "../../lambda/formats/parquet/snappy.ts";
import type { ColumnValue, ColumnValues, ParquetColumn } from "../../lambda/formats/parquet/table.ts";
import { GROUP_ROWS } from "../../lambda/formats/parquet/table.ts";
import { decodeParquet } from "../../lambda/formats/parquet.ts";
import { arbitraryTable, type DrawnTable } from "../support/arbitrary-table.ts";
import { duckdb } from "../support/duckdb.ts";
import { encodeParquet } from "../support/encode-parquet.ts";

const folder = mkdtempSync(join(tmpdir(), "fillbook-parquet-peers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bufferOf = (bytes: Uint8Array) => Uint8Array.from(bytes).buffer;
const chunksOf = (bytes: Uint8Array) =>
  parquetMetadata(bufferOf(bytes)).row_groups.map(({ columns }) => columns.map(({ meta_data }) => meta_data));

/**
 * Tables that are longer than a row group, than the sample, and than the point where the dictionary is
 * reviewed.
 */
const LONG: DrawnTable = {
  columns: [
    { name: "id", kind: "text", required: true, repeats: true },
    { name: "market", kind: "text", repeats: true },
    { name: "at", kind: "time" },
    { name: "far", kind: "time" },
    { name: "amount", kind: "decimal" },
    { name: "nothing", kind: "decimal", repeats: true },
    { name: "count", kind: "integer", required: true, repeats: true },
  ],
  table: [
    (row: number) => `${row}`.padStart(36, "0"),
    (row: number) => (row % 11 === 0 ? null : `M${row % 7}`),
    (row: number) => (row % 1000 === 999 ? null : 1_700_000_000_000 + row * 977),
    (row: number) => (row % 2 === 0 ? 8.64e15 : -8.64e15),
    (row: number) => BigInt(row) * 10n ** 16n - 5n,
    () => null,
    (row: number) => Math.floor(row / 100) % 9,
  ].map((cellOf) => Array.from({ length: 25_001 }, (_, row): ColumnValue => cellOf(row))),
};

describe("our reader", () => {
  test("reads back what was written", () => {
    fc.assert(
      fc.property(arbitraryTable, ({ columns, table }) => {
        expect(decodeParquet(columns, encodeParquet(columns, table))).toEqual(table);
      }),
      { numRuns: 300 },
    );
    expect(decodeParquet(LONG.columns, encodeParquet(LONG.columns, LONG.table))).toEqual(LONG.table);
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

describe("another reader", () => {
  test("DuckDB reads every cell as it was written", async () => {
    for (const drawn of fc.sample(arbitraryTable, 25)) {
      await expectInDuckdb(drawn);
    }
    await expectInDuckdb(LONG);
  });

  test("DuckDB skips no matching row because of our bounds", async () => {
    const path = join(folder, "long.parquet");
    writeFileSync(path, encodeParquet(LONG.columns, LONG.table));
    const times = (LONG.table[2] ?? []).filter((time) => time !== null);
    for (const bound of [times[0], times[24_000], times.at(-1)].map(Number)) {
      const [found] = await duckdb(`SELECT count(*)::INT AS rows FROM '${path}' WHERE epoch_ms("at") >= ${bound}`);
      expect(found).toEqual({ rows: times.filter((time) => Number(time) >= bound).length });
    }
  });
});

describe("the footer", () => {
  test("names the writer, and has bounds by group for times only", () => {
    const bytes = encodeParquet(LONG.columns, LONG.table);
    expect(parquetMetadata(bufferOf(bytes)).created_by).toBe("fillbook");
    const [group] = chunksOf(bytes);
    const bounds = group?.map((chunk) => chunk?.statistics?.min_value);
    expect(bounds?.map((bound) => bound !== undefined)).toEqual([false, false, true, true, false, false, false]);
    expect(group?.[2]?.statistics).toMatchObject({
      min_value: new Date(1_700_000_000_000),
      max_value: new Date(1_700_000_000_000 + (GROUP_ROWS - 2) * 977),
      null_count: BigInt(GROUP_ROWS / 1000),
    });
  });

  test("has no bounds where a group has no time", () => {
    const columns = [{ name: "at", kind: "time" }] as const;
    const [[chunk] = []] = chunksOf(encodeParquet(columns, [[null, null]]));
    expect(chunk?.statistics).toMatchObject({ null_count: 2n });
    expect(chunk?.statistics?.min_value).toBeUndefined();
  });
});

describe("a column", () => {
  const only = (column: Omit<ParquetColumn, "name">, cells: ColumnValues) =>
    chunksOf(encodeParquet([{ name: "only", ...column }], [cells]))[0]?.[0];
  const ids = Array.from({ length: 3000 }, (_, row) => `${(row * 2_654_435_761) % 2 ** 32}`.padStart(36, "x"));

  test("has a dictionary if its values repeat, and none if they were expected to repeat but do not", () => {
    const some = ids.map((_, row) => ids[row % 40] ?? "");
    expect(only({ kind: "text", required: true, repeats: true }, some)?.encodings).toContain("RLE_DICTIONARY");
    expect(only({ kind: "text", required: true, repeats: true }, ids)?.encodings).not.toContain("RLE_DICTIONARY");
    expect(only({ kind: "text", required: true }, some)?.encodings).not.toContain("RLE_DICTIONARY");
  });

  test("is compressed if that saves bytes", () => {
    expect(
      only(
        { kind: "text", required: true },
        ids.map(() => "the same"),
      )?.codec,
    ).toBe("SNAPPY");
    const noise = ids.map((id) => createHash("sha256").update(id).digest("hex"));
    expect(only({ kind: "text", required: true }, noise)?.codec).toBe("UNCOMPRESSED");
  });

  test("is written the same, whatever was written before", () => {
    fc.assert(
      fc.property(arbitraryTable, arbitraryTable, (one, other) => {
        const first = encodeParquet(one.columns, one.table);
        encodeParquet(other.columns, other.table);
        expect(Buffer.from(encodeParquet(one.columns, one.table)).equals(first)).toBe(true);
      }),
    );
  });
});

describe("Snappy", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 500 }),
    fc
      .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 90 }), fc.integer({ min: 1, max: 60 })), {
        maxLength: 8,
      })
      .map((pieces) => Buffer.concat(pieces.flatMap(([piece, times]) => new Array<Uint8Array>(times).fill(piece)))),
  );
  const compressed = (input: Uint8Array) => {
    const out = new ByteSink();
    compress(input, out);
    return Uint8Array.from(out.written());
  };
  const apart = Buffer.concat([
    Buffer.from("abcdefgh"),
    Buffer.alloc(70_000, 1),
    Buffer.from("abcdefgh"),
    Buffer.alloc(300_000, 2),
  ]);

  test("from our writer is read by our reader and by hyparquet", () => {
    const check = (input: Uint8Array) => {
      const out = new Uint8Array(input.length);
      snappyUncompress(compressed(input), out);
      expect(Buffer.from(out).equals(input)).toBe(true);
      expect(uncompress(compressed(input)).equals(input)).toBe(true);
    };
    fc.assert(fc.property(bytes, check));
    check(apart);
  });

  test("from hyparquet-writer is read by our reader", () => {
    const check = (input: Uint8Array) => {
      expect(uncompress(snappyCompress(input)).equals(input)).toBe(true);
    };
    fc.assert(fc.property(bytes, check));
    check(apart);
  });
});
