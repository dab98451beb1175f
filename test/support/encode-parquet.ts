import { addCell, type ColumnBuffer } from "../../lambda/formats/parquet/column-buffers.ts";
import { type ColumnValues, GROUP_ROWS, type ParquetColumn } from "../../lambda/formats/parquet/table.ts";
import { ParquetFile } from "../../lambda/formats/parquet.ts";

/** The whole file. */
export function encodeParquet(columns: readonly ParquetColumn[], table: readonly ColumnValues[]): Uint8Array {
  const file = new ParquetFile(columns);
  addTable(file, columns, table);
  file.end();
  return file.take();
}

/** Adds rows, given by columns, in row groups. */
export function addTable(file: ParquetFile, columns: readonly ParquetColumn[], table: readonly ColumnValues[]): void {
  const rows = table[0]?.length ?? 0;
  for (const [place, { name }] of columns.entries()) {
    const cells = table[place]?.length ?? 0;
    if (cells !== rows) {
      throw new RangeError(`${name}: ${cells} cells instead of ${rows}`);
    }
  }
  for (let from = 0; from < rows; from += GROUP_ROWS) {
    const to = Math.min(rows, from + GROUP_ROWS);
    for (const [place, column] of columns.entries()) {
      const buffer = file.buffers[place] as ColumnBuffer;
      for (const cell of table[place]?.slice(from, to) ?? []) {
        addCell(column, cell, buffer);
      }
    }
    file.endGroup();
  }
}
