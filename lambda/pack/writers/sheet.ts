import { scopesOf } from "../../accounting/cube/scopes.ts";
import type { Posted } from "../../accounting/posted.ts";
import { type Amount, wholeNumber, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { counted } from "../../core/text.ts";
import { columnName, type Sheet, type SheetCell, SheetWriter } from "../../formats/xlsx/xlsx.ts";
import { isGiven } from "../make/given.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import type { Type } from "../tables/field.ts";
import type { Column, SheetTable, Value } from "../tables/table.ts";
import { AMOUNT_WIDTH, amountCell, clockOf, countCell } from "./cells.ts";

/** The most rows of a table on a sheet, unless its frame says fewer. (A sheet can hold 1,048,576.) */
const TABLE_ROWS = 100_000;
/** The title and the columns' heads. */
const HEAD_ROWS = 2;
/** The column by which rows are added up. A row with an empty one is in no total. */
const GROUP = "currency";

const NUMBERS: readonly Type[] = ["time", "count", "money", "quantity"];

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

/** The total of a column in a group. Without any value it has no sum: nothing is not zero. */
interface Total {
  sum: Amount | null;
  /** True: an amount of it is not known. */
  isPartial: boolean;
}

/**
 * The sheet of a table, with totals by currency. Its title says whose it is, its period, and what it leaves out.
 * It takes rows one by one and keeps them compressed.
 */
export class SheetMaker<Row> {
  readonly #table: SheetTable<Row>;
  readonly #columns: readonly Column<Row>[];
  readonly #sheet: SheetWriter;
  readonly #clock: (ms: number) => SheetCell;
  /** By group. Totals by column. */
  readonly #totals = new Map<string, { readonly name: string; readonly totals: ReadonlyMap<number, Total> }>();
  readonly #groupAt: number;
  readonly #summed: readonly number[];
  readonly #most: number;
  #rows = 0;

  constructor(context: PackContext, table: SheetTable<Row>) {
    const { name, period, complete } = context;
    const { title, about, most = TABLE_ROWS } = table.sheet;
    const mark = complete ? "" : "NOT COMPLETE";
    const excluded = `Excluding funding${isGiven(context, "funding") ? ", unless a label says otherwise" : ""}.`;
    this.#table = table;
    this.#columns = table.columns.filter(({ isCsvOnly }) => isCsvOnly !== true);
    this.#groupAt = this.#columns.findIndex(({ name: column }) => column === GROUP);
    this.#summed = this.#columns.flatMap(({ isSummed }, at) => (isSummed === true ? at : []));
    this.#most = most;
    this.#clock = clockOf(period.zone);
    this.#sheet = new SheetWriter({
      name: title,
      widths: this.#columns.map(({ kind, width }) => width ?? WIDTHS[kind]),
      headRows: HEAD_ROWS,
      footer: [mark, `${name}, ${period.name}`].filter(Boolean).join(". "),
    });
    const text = [mark, `${title}: ${name}, ${period.name}`, about.replace(/\.$/, ""), excluded];
    this.#sheet.add([{ text: text.filter(Boolean).join(". "), style: "title" }], { isWide: true });
    this.#sheet.add(
      this.#columns.map(({ head, kind }) => ({
        text: kind === "time" ? `${head} (${period.zone})` : head,
        style: NUMBERS.includes(kind) ? "numberHead" : "head",
      })),
    );
  }

  add(batch: readonly Posted[]): void {
    this.#addRows(this.#table.rows.each?.(batch) ?? []);
  }

  finish(closing: Closing): Sheet {
    const { sheet, path, rows } = this.#table;
    this.#addRows(rows.atEnd?.(closing) ?? []);
    const last = this.#sheet.rows;
    const more = Math.max(this.#rows - this.#most, 0) + (sheet.left?.(closing) ?? 0);
    if (this.#rows === 0) {
      this.#sheet.add([{ text: sheet.nothing, style: "text" }]);
    }
    if (more > 0) {
      const text = `${counted(more, "more row is", "more rows are")} in ${path}. The totals of this sheet exclude ${more === 1 ? "it" : "them"}.`;
      this.#sheet.add([{ text, style: "text" }]);
    }
    this.#addTotals(closing);
    return this.#sheet.finish(this.#rows === 0 ? null : `A${HEAD_ROWS}:${columnName(this.#columns.length - 1)}${last}`);
  }

  /** In each group one row for the columns of which everything is known, and one for the others. */
  #addTotals({ sums: all }: Closing): void {
    for (const scope of scopesOf(all, [GROUP])) {
      for (const [at, total] of this.#totals.get(scope.cell.currency ?? "")?.totals ?? []) {
        const lacks = this.#table.sheet.lacks?.(scope, this.#columns[at]?.name ?? "") ?? [];
        total.isPartial ||= lacks.length > 0;
      }
    }
    for (const { name, totals } of this.#totals.values()) {
      for (const [label, isPartial] of [["Total", false] as const, ["Partial total", true] as const]) {
        const own = [...totals].filter(([, total]) => total.isPartial === isPartial && total.sum !== null);
        const sums = new Map(own.map(([at, { sum }]) => [at, sum]));
        const texts = new Map([[0, label] as const, [this.#groupAt, name]]);
        if (sums.size > 0) {
          this.#sheet.add(this.#columns.map((_, at) => this.#totalCell(at, sums.get(at), texts.get(at))));
        }
      }
    }
  }

  #addRows(rows: Iterable<Row>): void {
    for (const row of rows) {
      this.#rows += 1;
      if (this.#rows <= this.#most) {
        const values = this.#columns.map(({ of }) => of(row) ?? "");
        this.#sheet.add(values.map((value, at) => this.#cellOf(value, at)));
        this.#sum(values);
      }
    }
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
    const group = String(values[this.#groupAt] ?? "");
    const name = group || this.#columns[this.#groupAt]?.empty;
    if (name === undefined || this.#summed.length === 0) {
      return;
    }
    const none = () => ({ name, totals: new Map(this.#summed.map((at) => [at, { sum: null, isPartial: false }])) });
    for (const [at, total] of getOrMake(this.#totals, group, none).totals) {
      const value = values[at] ?? "";
      total.isPartial ||= value === "";
      if (value !== "") {
        const amount = typeof value === "object" ? value : wholeNumber(Number(value));
        total.sum = amount.plus(total.sum ?? ZERO);
      }
    }
  }

  #totalCell(at: number, sum: Amount | null = null, text = ""): SheetCell {
    return sum === null
      ? { text, style: "textTotal" }
      : (this.#columns[at]?.kind === "count" ? countCell : amountCell)(sum, true);
  }
}
