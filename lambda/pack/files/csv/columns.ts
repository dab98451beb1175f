import type { Method } from "../../../accounting/method.ts";
import type { Amount } from "../../../core/amount.ts";
import { isoTime } from "../../../core/time.ts";
import type { Column } from "../../build/maker.ts";

type CellOf<Row, Value> = (row: Row) => Value | null | undefined;

/** A column and its cell in a row. An unknown value is an empty cell, never 0. */
export interface CsvColumn<Row> extends Column {
  readonly cell: CellOf<Row, string>;
}

type More = Pick<Column, "required">;
/** No cell of the column is empty. */
export const REQUIRED: More = { required: true };

/** Makes columns of texts. */
function ofTexts(kind: Column["kind"]) {
  return <Row>(name: string, description: string, cell: CellOf<Row, string>, more: More = {}): CsvColumn<Row> => ({
    name,
    kind,
    description,
    ...more,
    cell,
  });
}

/** Makes columns of values; `textOf` formats a value. */
function ofValues<Value>(kind: Column["kind"], textOf: (value: Value) => string) {
  const column = ofTexts(kind);
  return <Row>(name: string, description: string, get: CellOf<Row, Value>, more: More = {}): CsvColumn<Row> => {
    const cell = (row: Row) => {
      const value = get(row);
      return value === null || value === undefined ? null : textOf(value);
    };
    return column(name, description, cell, more);
  };
}

export const text = ofTexts("text");
export const date = ofTexts("date");
/** Renders false as an empty cell. */
export const yes = ofValues("text", (isSo: boolean) => (isSo ? "yes" : ""));
export const integer = ofValues("integer", (count: number) => String(count));
/** ms UTC */
export const time = ofValues("time", isoTime);
export const timeText = ofTexts("time");
export const amount = ofValues<Amount>("decimal", String);
export const decimal = ofTexts("decimal");

/** The prefix of columns for the method that was not chosen: `fifo_gross_pnl`. */
export function methodPrefix(method: Method): string {
  return method === "average" ? "average_cost_" : `${method}_`;
}
