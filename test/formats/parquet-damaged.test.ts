import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteSink } from "../../lambda/formats/parquet/byte-sink.ts";
import { ByteSource } from "../../lambda/formats/parquet/byte-source.ts";
import { writeChunk } from "../../lambda/formats/parquet/chunk-writer.ts";
import { addCell, bufferFor } from "../../lambda/formats/parquet/column-buffers.ts";
import { readDeltas } from "../../lambda/formats/parquet/delta.ts";
import { writeFooter } from "../../lambda/formats/parquet/footer.ts";
import { readHybrid } from "../../lambda/formats/parquet/hybrid.ts";
import { uncompress } from "../../lambda/formats/parquet/snappy.ts";
import { readStruct } from "../../lambda/formats/parquet/thrift.ts";
import { decodeParquet } from "../../lambda/formats/parquet.ts";
import { arbitraryTable } from "../support/arbitrary-table.ts";
import { encodeParquet } from "../support/encode-parquet.ts";

const MAX_ROWS = 1000;

/**
 * Reading must give an error or a table of at most MAX_ROWS rows. It must not crash, hang, or take unbounded
 * memory.
 */
function expectBounded(columns: Parameters<typeof decodeParquet>[0], bytes: Uint8Array): void {
  try {
    const table = decodeParquet(columns, bytes, MAX_ROWS);
    expect(table.every((cells) => cells.length <= MAX_ROWS && cells.length === table[0]?.length)).toBe(true);
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    // These errors mean that the process ran out of memory or stack.
    expect((error as Error).message).not.toMatch(/call stack|allocation|array length|string length/i);
  }
}

const places = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 6 });

describe("a damaged file is refused, or read as a table within the row limit", () => {
  test("with flipped bits", () => {
    fc.assert(
      fc.property(arbitraryTable, places, ({ columns, table }, flips) => {
        const bytes = Uint8Array.from(encodeParquet(columns, table));
        for (const [at, bits] of flips) {
          const place = at % bytes.length;
          bytes[place] = (bytes[place] ?? 0) ^ bits;
        }
        expectBounded(columns, bytes);
      }),
    );
  });

  test("with pieces cut out, doubled or moved", () => {
    fc.assert(
      fc.property(arbitraryTable, fc.nat(), fc.nat(), fc.nat(), ({ columns, table }, a, b, c) => {
        const bytes = Buffer.from(encodeParquet(columns, table));
        const [from, to, at] = [a, b, c].map((place) => place % (bytes.length + 1)) as [number, number, number];
        expectBounded(columns, Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]));
        expectBounded(columns, Buffer.concat([bytes.subarray(0, at), bytes.subarray(from, to), bytes.subarray(at)]));
      }),
    );
  });

  test("cut off anywhere, also with several row groups", () => {
    fc.assert(
      fc.property(arbitraryTable, fc.nat(), ({ columns, table }, at) => {
        const bytes = encodeParquet(columns, table);
        expect(() => decodeParquet(columns, bytes.subarray(0, at % bytes.length))).toThrow(Error);
      }),
    );
  });
});

/** The numbers as LEB128. */
const varints = (...numbers: number[]) => {
  const out = new ByteSink();
  for (const number of numbers) {
    out.varint(number);
  }
  return Uint8Array.from(out.written());
};

describe("a few bytes cannot make the reader allocate much memory", () => {
  test("more rows than the limit", () => {
    const columns = [{ name: "a", kind: "decimal" }] as const;
    const bytes = encodeParquet(columns, [new Array(MAX_ROWS + 1).fill(null)]);
    expect(() => decodeParquet(columns, bytes, MAX_ROWS)).toThrow("more than 1000 rows");
  });

  test("Snappy that claims more bytes than its size can hold", () => {
    expect(() => uncompress(varints(2 ** 31))).toThrow("impossible length");
    expect(() => uncompress(varints(1000, 0xfe))).toThrow("impossible length");
  });

  test("a run of more values than the column has, or of none", () => {
    expect(() => readHybrid(new ByteSource(varints(2 ** 50, 1)), 10, 1)).toThrow("beyond the last value");
    expect(() => readHybrid(new ByteSource(new Uint8Array(100)), 10, 1)).toThrow("an empty run");
    expect(() => readHybrid(new ByteSource(varints(2 ** 50 + 1)), 10, 1)).toThrow("the data ends too early");
  });

  test("delta blocks of absurd size", () => {
    expect(() => readDeltas(new ByteSource(varints(2 ** 40, 4, 10, 0)), 10)).toThrow("an unexpected block size");
    expect(() => readDeltas(new ByteSource(varints(128, 4, 11, 0)), 10)).toThrow(
      "the number of values differs from the number of rows",
    );
    expect(() => readDeltas(new ByteSource(varints(128, 4, 2, 0, 0, 33, 0, 0, 0)), 2)).toThrow("too many bits");
    const beyond = varints(128, 4, 3, 2 ** 53 - 2, 2 ** 53 - 2, 0, 0, 0, 0);
    expect(() => readDeltas(new ByteSource(beyond), 3)).toThrow("a number that is too large");
  });

  test("a list longer than the file, and structs that are nested too deeply", () => {
    const list = Buffer.concat([Buffer.from([0x19, 0xf5]), varints(2 ** 40)]);
    expect(() => readStruct(new ByteSource(list))).toThrow("a list longer than the file");
    expect(() => readStruct(new ByteSource(new Uint8Array(100_000).fill(0x1c)))).toThrow("nested too deeply");
    expect(() => readStruct(new ByteSource(new Uint8Array(100_000).fill(0x19)))).toThrow("nested too deeply");
  });

  test("two columns at one place", () => {
    const columns = [
      { name: "a", kind: "integer", required: true },
      { name: "b", kind: "integer", required: true },
    ] as const;
    const file = new ByteSink();
    file.append(Buffer.from("PAR1"));
    const buffer = bufferFor(columns[0]);
    addCell(columns[0], 1, buffer);
    const chunk = writeChunk(columns[0], buffer, file, 0);
    writeFooter(columns, [{ rows: 1, chunks: [chunk, chunk] }], file);
    expect(() => decodeParquet(columns, file.written())).toThrow("a column chunk at an impossible position");
  });
});
