import { type Amount, ZERO } from "../../../core/amount.ts";
import { counted } from "../../../core/text.ts";
import { columnName, quotedName, type Sheet, type SheetCell, SheetWriter } from "../../../formats/xlsx/xlsx.ts";
import type { PackContext } from "../../build/maker.ts";
import { AMOUNT_WIDTH, cellOf, clockOf, countCell, moneyCell, summandOf, type Value } from "./cells.ts";
import { type Column, sumWhere } from "./formula.ts";
import { frameOf } from "./labels.ts";

/** The most rows of a table on a sheet, unless its plan says fewer. (A sheet can hold 1,048,576.) */
const TABLE_ROWS = 100_000;
/** The title and the columns' heads. */
const HEAD_ROWS = 2;

/** The width of columns that show ids whole. */
export const MATCH_ID_WIDTH = 38;
export const ORDER_ID_WIDTH = 30;

export interface SheetColumn<Row> {
  /** The name by which other sheets and the totals refer to it. */
  readonly id?: string;
  readonly head: string;
  readonly width: number;
  /** A note is text that is shown whole. */
  readonly kind: "text" | "note" | "number";
  readonly value: (row: Row) => Value;
  /** True: added up at the end, for each group. */
  readonly isSummed?: boolean;
}

export function textColumn<Row>(head: string, width: number, value: SheetColumn<Row>["value"]): SheetColumn<Row> {
  return { head, width, kind: "text", value };
}

/** The column by which rows are added up. */
export function currencyColumn<Row>(value: SheetColumn<Row>["value"]): SheetColumn<Row> {
  return { id: "currency", ...textColumn("Currency", 10, value) };
}

export function amountColumn<Row>(head: string, value: SheetColumn<Row>["value"]): SheetColumn<Row> {
  return { head, width: AMOUNT_WIDTH, kind: "number", value };
}

export function summedColumn<Row>(head: string, value: SheetColumn<Row>["value"]): SheetColumn<Row> {
  return { ...amountColumn(head, value), isSummed: true };
}

export interface TablePlan<Row> {
  readonly name: string;
  /** A sentence of its title. */
  readonly about: string;
  readonly columns: readonly SheetColumn<Row>[];
  /**
   * Ids of text columns. Rows with equal texts in them are added up. A row with an empty one is in no total.
   */
  readonly groupedBy: readonly string[];
  /** Shown if there are no rows. */
  readonly nothing: string;
  /** The file that has all rows. */
  readonly file: string;
  readonly mostRows?: number;
}

/**
 * A finished sheet, and the places of its columns by id. There are none if some rows are not shown or there
 * are no rows.
 */
export interface SheetTable {
  readonly sheet: Sheet;
  readonly columns: ReadonlyMap<string, Column>;
  /** All texts of the columns it is grouped by. */
  readonly texts: readonly string[];
}

interface Group {
  readonly texts: readonly string[];
  /** By column. A column without any value has no sum: nothing is not zero. */
  readonly sums: Map<number, Total>;
}

interface Total {
  readonly cell: typeof moneyCell | typeof countCell;
  total: Amount;
}

/** A table of given rows. `left`: rows of the file that are not among them. */
export function tableOf<Row>(context: PackContext, plan: TablePlan<Row>, rows: Iterable<Row>, left = 0): SheetTable {
  const table = new TableWriter(context, plan);
  for (const row of rows) {
    table.add(row);
  }
  return table.finish(left);
}

/** A sheet that is a table with totals. It takes rows one by one and keeps them compressed. */
export class TableWriter<Row> {
  readonly #plan: TablePlan<Row>;
  readonly #sheet: SheetWriter;
  readonly #clock: (ms: number) => SheetCell;
  readonly #groups = new Map<string, Group>();
  readonly #groupColumns: readonly number[];
  readonly #mostRows: number;
  #rows = 0;

  constructor(context: PackContext, plan: TablePlan<Row>) {
    const { columns, groupedBy } = plan;
    const { name, title, footer } = frameOf(context, plan.name, plan.about);
    this.#plan = plan;
    this.#mostRows = plan.mostRows ?? TABLE_ROWS;
    this.#clock = clockOf(context.period.zone);
    this.#groupColumns = groupedBy.map((id) => columns.findIndex((column) => column.id === id));
    this.#sheet = new SheetWriter({ name, widths: columns.map(({ width }) => width), headRows: HEAD_ROWS, footer });
    this.#sheet.add([{ text: title, style: "title" }], { isWide: true });
    this.#sheet.add(
      columns.map(({ head, kind }) => ({ text: head, style: kind === "number" ? "numberHead" : "head" })),
    );
  }

  add(row: Row): void {
    this.#rows += 1;
    if (this.#rows > this.#mostRows) {
      return;
    }
    const values = this.#plan.columns.map(({ value }) => value(row));
    this.#sheet.add(values.map((value, at) => cellOf(value, this.#clock, this.#plan.columns[at]?.kind === "note")));
    this.#sum(values);
  }

  finish(left = 0): SheetTable {
    const more = Math.max(this.#rows - this.#mostRows, 0) + left;
    const { name, nothing, columns, file } = this.#plan;
    const rows = { sheet: quotedName(name), firstRow: HEAD_ROWS + 1, lastRow: this.#sheet.rows };
    const places = columns.map((_, at): Column => ({ ...rows, letter: columnName(at) }));
    const texts = [...new Set([...this.#groups.values()].flatMap((group) => group.texts))];
    if (this.#rows === 0) {
      this.#sheet.add([{ text: nothing, style: "text" }]);
    }
    if (more > 0) {
      this.#sheet.add([
        {
          text: `${counted(more, "more row is", "more rows are")} in ${file}. The totals of this sheet exclude ${more === 1 ? "it" : "them"}.`,
          style: "text",
        },
      ]);
    }
    for (const group of this.#groups.values()) {
      this.#addTotals(group, places, texts);
    }
    const isWhole = this.#rows > 0 && more === 0;
    const named = places.map((place, at) => [columns[at]?.id ?? "", place] as const).filter(([id]) => id !== "");
    const filter = this.#rows === 0 ? null : `A${HEAD_ROWS}:${columnName(columns.length - 1)}${rows.lastRow}`;
    return { sheet: this.#sheet.finish(filter), columns: new Map(isWhole ? named : []), texts };
  }

  #sum(values: readonly Value[]): void {
    const texts = this.#groupColumns.map((at) => values[at]);
    if (texts.length === 0 || !texts.every((text): text is string => typeof text === "string" && text !== "")) {
      return;
    }
    const key = JSON.stringify(texts);
    const group = this.#groups.get(key) ?? { texts, sums: new Map() };
    this.#groups.set(key, group);
    for (const [at, { isSummed }] of this.#plan.columns.entries()) {
      const summand = isSummed ? summandOf(values[at]) : null;
      if (summand !== null) {
        const sum = group.sums.get(at) ?? { cell: summand.isCount ? countCell : moneyCell, total: ZERO };
        sum.total = sum.total.plus(summand.amount);
        group.sums.set(at, sum);
      }
    }
  }

  /** One row: a formula for each sum, and its exact value. */
  #addTotals({ texts, sums }: Group, places: readonly Column[], all: readonly string[]): void {
    const row = this.#sheet.rows + 1;
    const criteria = places
      .filter((_, at) => this.#groupColumns.includes(at))
      .map((column) => ({ column, cell: `$${column.letter}${row}` }));
    const cells = places.map((column, at): SheetCell => {
      const sum = sums.get(at);
      const label = at === 0 ? "Total" : "";
      return sum === undefined
        ? { text: texts[this.#groupColumns.indexOf(at)] ?? label, style: "textTotal" }
        : sum.cell(sum.total, { isTotal: true, formula: sumWhere(column.sheet, column, criteria, all) });
    });
    this.#sheet.add(cells);
  }
}
