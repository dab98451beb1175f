import type { ColumnValue, ParquetColumn } from "../formats/parquet.ts";
import { FILL_COLUMNS, type FillRow } from "./columns.ts";
import { extraCell } from "./extra.ts";

export const EXTRA_COLUMN = {
  name: "extra",
  kind: "text",
  description:
    "JSON of values that do not fit the columns: unknown fields and fields of an unexpected type, under the venue's names, and the exact text of values whose cell is empty or not exact.",
} as const;

/** The contract's columns and `extra`: the columns of fills.parquet and of `table/`. */
export const CELL_COLUMNS: readonly (ParquetColumn & { readonly description: string })[] = [
  ...FILL_COLUMNS,
  EXTRA_COLUMN,
];

const VALUES: readonly ((row: FillRow) => ColumnValue)[] = [...FILL_COLUMNS.map(({ value }) => value), extraCell];

/** The row's cell in each of CELL_COLUMNS. */
export function cellsOf(row: FillRow): readonly ColumnValue[] {
  const cells: ColumnValue[] = [];
  for (const cellOf of VALUES) {
    cells.push(cellOf(row));
  }
  return cells;
}
