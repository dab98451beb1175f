import { type Amount, wholeNumber, ZERO } from "../../core/amount.ts";
import { counted } from "../../core/text.ts";
import { columnName, quotedName, type Sheet, type SheetCell, SheetWriter } from "../../formats/xlsx/xlsx.ts";
import { isGiven } from "../make/given.ts";
import type { PackContext } from "../make/maker.ts";
import type { Type } from "../tables/field.ts";
import type { Column, SheetTable, Value } from "../tables/table.ts";
import { AMOUNT_WIDTH, amountCell, clockOf, countCell, type Place, sumWhere } from "./cells.ts";

/** The most rows of a table on a sheet, unless its frame says fewer. (A sheet can hold 1,048,576.) */
const TABLE_ROWS = 100_000;
/** The title and the columns' heads. */
const HEAD_ROWS = 2;
/** The column by which rows are added up. A row with an empty one is in no total. */
const GROUP = "currency";

/** In characters. */
const WIDTHS: Readonly<Record<Type, number>> = {
  text: 16,
  note: 48,
  time: 20,
  day: 12,
  count: 11,
  money: AMOUNT_WIDTH,
  quantity: AMOUNT_WIDTH,
  rate: 30,
};

/** The name and the title of a sheet. Every title says whose it is, its period, and what it leaves out. */
export interface Frame {
  readonly name: string;
  readonly title: string;
  readonly footer: string;
}

export function frameOf(context: PackContext, name: string, about: string): Frame {
  const mark = context.complete ? "" : "NOT COMPLETE. ";
  const excluded = isGiven(context, "funding")
    ? "Excluding funding, unless a label says otherwise."
    : "Excluding funding.";
  return {
    name,
    title: `${mark}${name}: ${context.name}, ${context.period.name}. ${about} ${excluded}`,
    footer: `${mark}${context.name}, ${context.period.name}`,
  };
}

/**
 * A finished sheet, and the places of its columns by key. There are none if some rows are not shown or there
 * are no rows.
 */
export interface TableSheet {
  readonly sheet: Sheet;
  readonly places: ReadonlyMap<string, Place>;
}

/** The totals of one group, by column. A column without any value has no sum: nothing is not zero. */
type Sums = Map<number, Amount>;

/** The sheet of a table, with totals by currency. It takes rows one by one and keeps them compressed. */
export class SheetMaker<Row> {
  readonly #table: SheetTable<Row>;
  readonly #columns: readonly Column<Row>[];
  readonly #sheet: SheetWriter;
  readonly #clock: (ms: number) => SheetCell;
  readonly #sums = new Map<string, Sums>();
  readonly #groupAt: number;
  readonly #most: number;
  #rows = 0;

  constructor(context: PackContext, table: SheetTable<Row>) {
    const { zone } = context.period;
    const { name, title, footer } = frameOf(context, table.sheet.title, table.sheet.about);
    this.#table = table;
    this.#columns = table.columns.filter(({ isCsvOnly }) => isCsvOnly !== true);
    this.#groupAt = this.#columns.findIndex((column) => column.name === GROUP);
    this.#most = table.sheet.most ?? TABLE_ROWS;
    this.#clock = clockOf(zone);
    const widths = this.#columns.map(({ kind, width }) => width ?? WIDTHS[kind]);
    this.#sheet = new SheetWriter({ name, widths, headRows: HEAD_ROWS, footer });
    this.#sheet.add([{ text: title, style: "title" }], { isWide: true });
    this.#sheet.add(
      this.#columns.map(({ head, kind }) => ({
        text: kind === "time" ? `${head} (${zone})` : head,
        style: isNumber(kind) ? "numberHead" : "head",
      })),
    );
  }

  add(rows: Iterable<Row>): void {
    for (const row of rows) {
      this.#rows += 1;
      if (this.#rows <= this.#most) {
        const values = this.#columns.map(({ of }) => of(row) ?? "");
        this.#sheet.add(values.map((value, at) => this.#cellOf(value, at)));
        this.#sum(values);
      }
    }
  }

  /** `left`: rows of the file that were not added. */
  finish(left = 0): TableSheet {
    const more = Math.max(this.#rows - this.#most, 0) + left;
    const { sheet, path } = this.#table;
    const rows = { sheet: quotedName(sheet.title), firstRow: HEAD_ROWS + 1, lastRow: this.#sheet.rows };
    const places = this.#columns.map((_, at): Place => ({ ...rows, letter: columnName(at) }));
    if (this.#rows === 0) {
      this.#sheet.add([{ text: sheet.nothing, style: "text" }]);
    }
    if (more > 0) {
      const text = `${counted(more, "more row is", "more rows are")} in ${path}. The totals of this sheet exclude ${more === 1 ? "it" : "them"}.`;
      this.#sheet.add([{ text, style: "text" }]);
    }
    for (const [group, sums] of this.#sums) {
      this.#addTotals(group, sums, places);
    }
    const isWhole = this.#rows > 0 && more === 0;
    const named = places.map((place, at) => [this.#columns[at]?.name ?? "", place] as const);
    const filter = this.#rows === 0 ? null : `A${HEAD_ROWS}:${columnName(this.#columns.length - 1)}${rows.lastRow}`;
    return { sheet: this.#sheet.finish(filter), places: new Map(isWhole ? named : []) };
  }

  #cellOf(value: NonNullable<Value>, at: number): SheetCell {
    const { kind = "text", empty = "" } = this.#columns[at] ?? {};
    if (value === "") {
      return empty === "" ? null : { text: empty, style: "text" };
    }
    switch (kind) {
      case "time":
        return this.#clock(Number(value));
      case "count":
        return countCell(String(value));
      case "money":
      case "quantity":
        return amountCell(value as Amount);
      default:
        return { text: String(value), style: kind === "note" ? "wrapped" : "text" };
    }
  }

  #sum(values: readonly NonNullable<Value>[]): void {
    const group = String(values[this.#groupAt] ?? "") || this.#columns[this.#groupAt]?.empty;
    if (group === undefined) {
      return;
    }
    const sums = this.#sums.get(group) ?? new Map<number, Amount>();
    this.#sums.set(group, sums);
    for (const [at, { isSummed }] of this.#columns.entries()) {
      const value = values[at] ?? "";
      if (isSummed === true && value !== "") {
        const amount = typeof value === "object" ? value : wholeNumber(Number(value));
        sums.set(at, (sums.get(at) ?? ZERO).plus(amount));
      }
    }
  }

  /** One row: a formula for each sum, and its exact value. */
  #addTotals(group: string, sums: Sums, places: readonly Place[]): void {
    const row = this.#sheet.rows + 1;
    const by = places[this.#groupAt];
    const label = (at: number) => (at === 0 ? "Total" : "");
    const cells = places.map((place, at): SheetCell => {
      const sum = sums.get(at);
      if (sum === undefined || by === undefined) {
        return { text: at === this.#groupAt ? group : label(at), style: "textTotal" };
      }
      const cell = this.#columns[at]?.kind === "count" ? countCell : amountCell;
      return cell(sum, { isTotal: true, formula: sumWhere(place.sheet, place, by, `$${by.letter}${row}`) });
    });
    this.#sheet.add(cells);
  }
}

function isNumber(kind: Type): boolean {
  return kind === "time" || kind === "count" || kind === "money" || kind === "quantity";
}
