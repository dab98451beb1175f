import type { Cell, Cells, ParquetColumn } from "../formats/parquet/table.ts";
import { FILL_COLUMNS, type FillRow } from "./columns.ts";
import { extraCell } from "./extra.ts";

export const EXTRA_COLUMN = {
  name: "extra",
  kind: "text",
  repeats: true,
  description:
    "JSON of what the columns cannot hold: unknown and wrongly typed fields under the service's names, and the exact text of values whose cell is empty or not exact.",
} as const;

/** The contract's columns and `extra`: those of fills.parquet, which a part has too. */
export const CELL_COLUMNS: readonly (ParquetColumn & { readonly description: string })[] = [
  ...FILL_COLUMNS,
  EXTRA_COLUMN,
];

/** The cell of each of them. */
export const CELL_VALUES: readonly ((row: FillRow) => Cell)[] = [...FILL_COLUMNS.map(({ value }) => value), extraCell];

/** Rows turned into columns: as many as are said beforehand. */
export class FillCells {
  readonly #columns: readonly Cell[][];
  #rows = 0;

  constructor(rows: number) {
    this.#columns = CELL_VALUES.map(() => new Array(rows));
  }

  add(rows: readonly FillRow[]): void {
    for (const [column, cellOf] of CELL_VALUES.entries()) {
      const cells = this.#columns[column] ?? [];
      let at = this.#rows;
      for (const row of rows) {
        cells[at] = cellOf(row);
        at += 1;
      }
    }
    this.#rows += rows.length;
  }

  /** By CELL_COLUMNS. */
  get table(): readonly Cells[] {
    return this.#columns;
  }
}
