/**
 * The columns and cells of a flat table, and Parquet's numbers for types and encodings
 * (apache/parquet-format, parquet.thrift).
 */
export interface ParquetColumn {
  readonly name: string;
  readonly kind: "text" | "time" | "decimal" | "integer";
  readonly required?: boolean;
  /** Values repeat within a group of rows, so a dictionary is tried. */
  readonly repeats?: boolean;
}

/**
 * A text, a time in ms UTC, a decimal as an integer scaled by 10^18, or a small integer. Null only if the
 * column is not required.
 */
export type ColumnValue = string | number | bigint | null;

/** The cells of a column, one per row. */
export type ColumnValues = readonly ColumnValue[];

/**
 * The rows that a writer or reader holds in memory, and the most rows of a data file. With 25,000, a pack's
 * tables took 70 MB more and no less time.
 */
export const GROUP_ROWS = 10_000;

export const MAGIC = "PAR1";

export const TYPE = { int32: 1, int64: 2, bytes: 6, fixedBytes: 7 } as const;

/** The physical type of each kind. */
export const STORED_AS = {
  text: TYPE.bytes,
  time: TYPE.int64,
  decimal: TYPE.fixedBytes,
  integer: TYPE.int32,
} as const satisfies Record<ParquetColumn["kind"], number>;

export const BYTES_PER_DECIMAL = 16;
export const PRECISION = 38;

export const REPETITION = { required: 0, optional: 1 } as const;
export const CODEC = { uncompressed: 0, snappy: 1 } as const;
export const ENCODING = { plain: 0, rle: 3, deltaBinaryPacked: 5, dictionary: 8 } as const;
export const PAGE = { data: 0, dictionary: 2 } as const;

/** The number of bits that hold every number up to `largest`. */
export function bitsFor(largest: number): number {
  return 32 - Math.clz32(largest);
}
