import type { Amount } from "../../../accounting/amount.ts";
import { type Cell, columnName, quotedName, type Sheet, SheetWriter } from "../../../formats/xlsx/xlsx.ts";
import { cellOf, clockOf, countCell, moneyCell, type Value } from "./cells.ts";
import { type Column, sumWhere } from "./formula.ts";

/** Rows of a table that a sheet shows at most: a sheet has room for 1,048,576. */
export const TABLE_ROWS = 100_000;
/** The title and the columns' heads. */
const HEAD_ROWS = 2;

export interface TableColumn<Row> {
  /** By which other sheets and the totals name it. */
  readonly id?: string;
  readonly head: string;
  readonly width: number;
  /** A note is text that is shown whole. */
  readonly kind: "text" | "note" | "number";
  readonly value: (row: Row) => Value;
  /** Added up at the end, for each group. */
  readonly isSummed?: boolean;
}

export interface TablePlan<Row> {
  readonly name: string;
  readonly title: string;
  readonly footer: string;
  readonly zone: string;
  readonly columns: readonly TableColumn<Row>[];
  /** Ids of text columns: rows with equal texts there are added up. A row with an empty one is in no total. */
  readonly groupedBy: readonly string[];
  /** Stands in place of rows when there are none. */
  readonly nothing: string;
  /** The file that has all rows. */
  readonly file: string;
}

/** A finished sheet, and where its columns are, by id; empty when not all rows are shown, or there are none. */
export interface Table {
  readonly sheet: Sheet;
  readonly columns: ReadonlyMap<string, Column>;
  /** All texts of the columns it is grouped by. */
  readonly texts: readonly string[];
}

interface Group {
  readonly texts: readonly string[];
  /** By column; null: no row had a value. */
  readonly sums: ({ readonly kind: "amount" | "count"; total: bigint } | null)[];
}

/** A sheet that is a table with totals: rows go by, and what is held of them is compressed. */
export class TableWriter<Row> {
  readonly #plan: TablePlan<Row>;
  readonly #sheet: SheetWriter;
  readonly #clock: (ms: number) => Cell;
  readonly #groups = new Map<string, Group>();
  readonly #groupColumns: readonly number[];
  #rows = 0;

  constructor(plan: TablePlan<Row>) {
    this.#plan = plan;
    this.#clock = clockOf(plan.zone);
    this.#groupColumns = plan.groupedBy.map((id) => plan.columns.findIndex((column) => column.id === id));
    const widths = plan.columns.map(({ width }) => width);
    this.#sheet = new SheetWriter({ name: plan.name, widths, headRows: HEAD_ROWS, footer: plan.footer });
    this.#sheet.add([{ text: plan.title, style: "title" }]);
    this.#sheet.add(
      plan.columns.map(({ head, kind }) => ({ text: head, style: kind === "number" ? "numberHead" : "head" })),
    );
  }

  add(row: Row): void {
    this.#rows += 1;
    if (this.#rows > TABLE_ROWS) {
      return;
    }
    const values = this.#plan.columns.map(({ value }) => value(row));
    this.#sheet.add(values.map((value, at) => cellOf(value, this.#clock, this.#plan.columns[at]?.kind === "note")));
    this.#sum(values);
  }

  /** `left`: rows of the file that were not even added. */
  finish(left = 0): Table {
    const more = Math.max(this.#rows - TABLE_ROWS, 0) + left;
    const { name, nothing, columns, file } = this.#plan;
    const lastRow = this.#sheet.rows;
    const firstRow = HEAD_ROWS + 1;
    const sheet = quotedName(name);
    const places = columns.map((_, at): Column => ({ sheet, letter: columnName(at), firstRow, lastRow }));
    const texts = [...new Set([...this.#groups.values()].flatMap((group) => group.texts))];
    if (this.#rows === 0) {
      this.#sheet.add([{ text: nothing, style: "text" }]);
    }
    if (more > 0) {
      this.#sheet.add([{ text: `${more} more are in ${file}, and in no total of this sheet.`, style: "text" }]);
    }
    for (const group of this.#groups.values()) {
      this.#addTotals(group, places, texts);
    }
    const isWhole = this.#rows > 0 && more === 0;
    const ids = columns.flatMap(({ id }, at) => {
      const place = places[at];
      return id === undefined || place === undefined || !isWhole ? [] : [[id, place] as const];
    });
    const filter = this.#rows === 0 ? null : `A${HEAD_ROWS}:${columnName(columns.length - 1)}${lastRow}`;
    return { sheet: this.#sheet.finish(filter), columns: new Map(ids), texts };
  }

  #sum(values: readonly Value[]): void {
    const texts = this.#groupColumns.map((at) => values[at]);
    if (texts.length === 0 || !texts.every((text): text is string => typeof text === "string" && text !== "")) {
      return;
    }
    const key = JSON.stringify(texts);
    const group = this.#groups.get(key) ?? { texts, sums: values.map(() => null) };
    this.#groups.set(key, group);
    for (const [at, { isSummed }] of this.#plan.columns.entries()) {
      const value = values[at];
      if (isSummed && (typeof value === "bigint" || typeof value === "number")) {
        const sum = group.sums[at] ?? { kind: typeof value === "bigint" ? "amount" : "count", total: 0n };
        sum.total += BigInt(value);
        group.sums[at] = sum;
      }
    }
  }

  /** One row: a formula for each sum, and its exact value. A column without any value has no sum: nothing is not zero. */
  #addTotals({ texts, sums }: Group, places: readonly Column[], all: readonly string[]): void {
    const row = this.#sheet.rows + 1;
    const criteria = this.#groupColumns.flatMap((at) => {
      const column = places[at];
      return column === undefined ? [] : [{ column, cell: `$${column.letter}${row}` }];
    });
    const cells = this.#plan.columns.map((_, at): Cell => {
      const sum = sums[at];
      const column = places[at];
      if (sum !== null && sum !== undefined && column !== undefined) {
        const formula = sumWhere(column.sheet, column, criteria, all);
        return totalCell(sum.kind, sum.total, formula);
      }
      const place = this.#groupColumns.indexOf(at);
      const label = at === 0 ? "Total" : "";
      return { text: texts[place] ?? label, style: "textTotal" };
    });
    this.#sheet.add(cells);
  }
}

function totalCell(kind: "amount" | "count", total: Amount, formula: string): Cell {
  return kind === "amount"
    ? moneyCell(total, { isTotal: true, formula })
    : countCell(total, { isTotal: true, formula });
}
