import type { Closing, PackContext } from "../build/maker.ts";
import type { Value as CellValue } from "../files/workbook/cells.ts";
import { AMOUNT_WIDTH } from "../files/workbook/cells.ts";
import { type SheetColumn, type SheetTable, tableOf } from "../files/workbook/table.ts";
import type { Column, Table } from "../tables/table.ts";

/** The sheet of a table, with totals by currency. */
export function sheetOf<Row>(context: PackContext, table: Table<Row>, closing: Closing): SheetTable {
  const { title, about, columns, nothing, path } = table;
  return tableOf<Row>(
    context,
    {
      name: title,
      about,
      columns: columns.filter(({ only }) => only !== "csv").map(sheetColumn),
      groupedBy: ["currency"],
      nothing,
      file: path,
    },
    table.rows(closing),
  );
}

/** In characters. */
const TEXT_WIDTH = 16;
const COUNT_WIDTH = 9;

function sheetColumn<Row>({ key, head, type, of, isSummed, empty, width }: Column<Row>): SheetColumn<Row> {
  const isText = type === "text";
  const usual = { text: TEXT_WIDTH, count: COUNT_WIDTH, money: AMOUNT_WIDTH, quantity: AMOUNT_WIDTH }[type];
  const shown = (row: Row): CellValue => {
    const value = of(row) ?? "";
    if (typeof value !== "object") {
      return value === "" ? (empty ?? null) : value;
    }
    if (type === "count") {
      return Number(value.toString());
    }
    return type === "quantity" ? { quantity: value } : value;
  };
  return {
    id: key,
    head,
    width: width ?? usual,
    kind: isText ? "text" : "number",
    value: shown,
    isSummed: isSummed === true,
  };
}
