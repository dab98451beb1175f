import type { FileMaker } from "../build/maker.ts";
import type { CsvColumn } from "../files/csv/columns.ts";
import { CsvMaker } from "../files/csv/csv-maker.ts";
import type { Column, Table } from "../tables/table.ts";

const KINDS = { text: "text", count: "integer", money: "decimal", quantity: "decimal" } as const;

/** The CSV file of a table. */
export function csvOf<Row>({ path, description, columns, keys, rows }: Table<Row>): FileMaker {
  return new CsvMaker<Row>({
    path,
    description,
    columns: columns.filter(({ only }) => only !== "sheet").map(csvColumn),
    keys,
    rowsAtEnd: rows,
  });
}

function csvColumn<Row>({ key, meaning, type, of, isRequired }: Column<Row>): CsvColumn<Row> {
  const cell = (row: Row) => of(row)?.toString();
  return { name: key, kind: KINDS[type], description: meaning, cell, ...(isRequired ? { required: true } : {}) };
}
