import { parquetMetadata, type SchemaElement } from "hyparquet";
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import { type Amount, PLACES } from "../core/amount.ts";

/**
 * Flat tables as Parquet: an adapter over hyparquet-writer and hyparquet. No amount passes through a float.
 * Equal cells give equal bytes on every machine: the codec is Snappy in plain JavaScript.
 */

export interface ParquetColumn {
  readonly name: string;
  readonly kind: "text" | "time" | "decimal" | "integer";
  readonly required?: boolean;
  /** True: its cells are not compressed, which would take long and gain little. */
  readonly isRandom?: boolean;
}

/**
 * A text, a time in ms UTC, an amount that fits DECIMAL(38,18), or a small integer. Null only if the column
 * is not required.
 */
export type ColumnValue = string | number | Amount | null;

/** Rows that are in memory as cells. */
export const GROUP_ROWS = 10_000;

const PRECISION = 38;
const BYTES_PER_DECIMAL = 16;
const ZEROS = "0".repeat(PLACES);

/** A file as it is written, group by group. */
export class ParquetFile {
  readonly #columns: readonly ParquetColumn[];
  readonly #schema: SchemaElement[];
  readonly #writer = new ByteWriter();
  readonly #file: ParquetWriter;
  #cells: (string | bigint | number | null)[][];

  /** `metadata`: key-value pairs of the footer. */
  constructor(columns: readonly ParquetColumn[], metadata: Readonly<Record<string, string>> = {}) {
    this.#columns = columns;
    this.#schema = schemaOf(columns);
    this.#cells = columns.map(() => []);
    this.#file = new ParquetWriter({
      writer: this.#writer,
      schema: this.#schema,
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      createdBy: "fillbook",
    });
  }

  /** Adds a row: a cell for each column. */
  add(cells: readonly ColumnValue[]): void {
    for (const [place, column] of this.#columns.entries()) {
      this.#cells[place]?.push(storedAs(column.kind, cells[place] ?? null));
    }
    if (this.#cells[0]?.length === GROUP_ROWS) {
      this.#endGroup();
    }
  }

  end(): void {
    this.#endGroup();
    for (const element of this.#schema.filter(({ logical_type: logical }) => logical?.type === "DECIMAL")) {
      element.converted_type = "DECIMAL"; // for older readers; the writer itself would encode these cells once more
    }
    void this.#file.finish(); // in memory: nothing to wait for
  }

  /** What was written since the last call. It is kept no longer. */
  take(): Uint8Array {
    const bytes = this.#writer.getBytes().slice();
    this.#writer.index = 0; // `offset` goes on
    return bytes;
  }

  #endGroup(): void {
    const rows = this.#cells[0]?.length ?? 0;
    if (rows > 0) {
      const columnData = this.#columns.map(({ name, kind, isRandom = false }, place) => {
        const cells = this.#cells[place] ?? [];
        return {
          name,
          data: kind === "decimal" ? encoded(cells) : cells,
          codec: isRandom ? ("UNCOMPRESSED" as const) : ("SNAPPY" as const),
          statistics: kind === "time", // an engine may skip groups by time
        };
      });
      void this.#file.write({ columnData, rowGroupSize: rows });
      this.#cells = this.#columns.map(() => []);
    }
  }
}

/** Parquet holds a decimal as a whole number of units of its last place. */
function storedAs(kind: ParquetColumn["kind"], cell: ColumnValue): string | bigint | number | null {
  if (cell !== null && typeof cell === "object") {
    const text = cell.toString();
    const point = text.indexOf(".");
    return BigInt(text.replace(".", "") + ZEROS.slice(point === -1 ? 0 : text.length - point - 1));
  }
  return kind === "time" && cell !== null ? BigInt(cell) : cell;
}

/** Integers as 16 bytes each, the highest first. */
function encoded(cells: readonly unknown[]): (Uint8Array | null)[] {
  const bytes = new Uint8Array(cells.length * BYTES_PER_DECIMAL);
  const view = new DataView(bytes.buffer);
  return cells.map((cell, place) => {
    const at = place * BYTES_PER_DECIMAL;
    if (typeof cell !== "bigint") {
      return null;
    }
    view.setBigInt64(at, cell >> 64n);
    view.setBigUint64(at + 8, BigInt.asUintN(64, cell));
    return bytes.subarray(at, at + BYTES_PER_DECIMAL);
  });
}

function schemaOf(columns: readonly ParquetColumn[]): SchemaElement[] {
  return [{ name: "fills", num_children: columns.length }, ...columns.map(elementOf)];
}

function elementOf({ name, kind, required = false }: ParquetColumn): SchemaElement {
  const repetition = { name, repetition_type: required ? ("REQUIRED" as const) : ("OPTIONAL" as const) };
  switch (kind) {
    case "text":
      return { ...repetition, type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
    case "time":
      return {
        ...repetition,
        type: "INT64",
        converted_type: "TIMESTAMP_MILLIS",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
      };
    case "decimal":
      return {
        ...repetition,
        type: "FIXED_LEN_BYTE_ARRAY",
        type_length: BYTES_PER_DECIMAL,
        precision: PRECISION,
        scale: PLACES,
        logical_type: { type: "DECIMAL", precision: PRECISION, scale: PLACES },
      };
    case "integer":
      return { ...repetition, type: "INT32" };
  }
}

/** The key-value pairs of a file's footer. Null: it is no Parquet file. */
export function metadataOf(bytes: Uint8Array): Readonly<Record<string, string>> | null {
  try {
    const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(bytes.length - 8, true);
    const footer = Uint8Array.from(bytes.subarray(Math.max(0, bytes.length - 8 - length)));
    const pairs = parquetMetadata(footer.buffer).key_value_metadata ?? [];
    return Object.fromEntries(pairs.map(({ key, value }) => [key, value ?? ""]));
  } catch {
    return null;
  }
}
