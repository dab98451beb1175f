import type { Cells, ParquetColumn } from "../../lambda/formats/parquet/table.ts";
import { addTable, ParquetFile } from "../../lambda/formats/parquet.ts";

/** The whole file. */
export function encodeParquet(columns: readonly ParquetColumn[], table: readonly Cells[]): Uint8Array {
  const file = new ParquetFile(columns);
  addTable(file, columns, table);
  file.end();
  return file.take();
}
