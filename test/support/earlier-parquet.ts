import type { SchemaElement } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import { unitsToBytes } from "../../lambda/core/decimal.ts";
import type { ColumnValues, ParquetColumn } from "../../lambda/formats/parquet/table.ts";

/** A file as fillbook wrote it when it had hyparquet-writer for that: pages of the second kind, other dictionaries, times by their differences. */
export function earlierParquet(columns: readonly ParquetColumn[], table: readonly ColumnValues[]): Uint8Array {
  const bytes = new ByteWriter();
  const schema = (as: "stored" | "declared") => [
    { name: "root", num_children: columns.length },
    ...columns.map((column) => elementOf(column, as)),
  ];
  const writer = new ParquetWriter({ writer: bytes, schema: schema("stored"), codec: "SNAPPY", createdBy: "fillbook" });
  void writer.write({
    columnData: columns.map((column, at) => sourceOf(column, table[at] ?? [])),
    rowGroupSize: 25_000,
  });
  writer.schema = schema("declared");
  void writer.finish();
  return bytes.getBytes();
}

function elementOf({ name, kind, required }: ParquetColumn, as: "stored" | "declared"): SchemaElement {
  const field = { name, repetition_type: required === true ? ("REQUIRED" as const) : ("OPTIONAL" as const) };
  switch (kind) {
    case "text":
      return { ...field, type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
    case "time":
      return {
        ...field,
        type: "INT64",
        converted_type: "TIMESTAMP_MILLIS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
      };
    case "decimal": {
      const stored = { ...field, type: "FIXED_LEN_BYTE_ARRAY" as const, type_length: 16 };
      const type = { type: "DECIMAL" as const, precision: 38, scale: 18 };
      return as === "stored"
        ? stored
        : { ...stored, converted_type: "DECIMAL", precision: 38, scale: 18, logical_type: type };
    }
    case "integer":
      return { ...field, type: "INT32" };
  }
}

function sourceOf({ name, kind, repeats }: ParquetColumn, cells: ColumnValues): ColumnSource {
  const plain = kind === "time" ? "DELTA_BINARY_PACKED" : "PLAIN";
  return {
    name,
    data: kind === "decimal" ? cells.map(decimalBytes) : [...cells],
    statistics: kind === "time",
    encoding: repeats === true ? "RLE_DICTIONARY" : plain,
  };
}

function decimalBytes(cell: ColumnValues[number]): Uint8Array | null {
  if (typeof cell !== "bigint") {
    return null;
  }
  const bytes = new Uint8Array(16);
  unitsToBytes(cell, new DataView(bytes.buffer), 0);
  return bytes;
}
