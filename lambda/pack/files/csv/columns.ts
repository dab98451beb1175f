import type { Column } from "../../build/maker.ts";

/** A column, and its cell in a row; null and "": an empty one. */
export interface CsvColumn<Row> extends Column {
  readonly cell: (row: Row) => string | null;
}

type MakeColumn = <Row>(name: string, description: string, cell: CsvColumn<Row>["cell"]) => CsvColumn<Row>;

function ofKind(kind: Column["kind"]): MakeColumn {
  return (name, description, cell) => ({ name, kind, description, cell });
}

export const text = ofKind("text");
export const time = ofKind("time");
export const decimal = ofKind("decimal");
export const integer = ofKind("integer");
export const date = ofKind("date");

/** A column without an empty cell. */
export function required<Row>(column: CsvColumn<Row>): CsvColumn<Row> {
  return { ...column, required: true };
}
