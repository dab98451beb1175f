import { hash } from "node:crypto";
import { addSets, EMPTY_SET, type SetHash } from "../archive/set-hash.ts";
import type { Cell, Cells } from "../formats/parquet/table.ts";
import { formatUnits, SCALE } from "../model/decimal.ts";
import type { Fill } from "../model/fill.ts";
import { monthsOf, type Period, type PeriodMonth } from "../model/period.ts";
import type { Basis } from "./basis.ts";

/** What a pack holds of one month of its period. */
export interface MonthTotals extends PeriodMonth {
  rows: number;
  /** Times of its first and last fill, ms UTC; null where there is none. */
  first: number | null;
  last: number | null;
  /** Sum, modulo 2^256, of the hashes of its rows in fills.parquet. */
  set: SetHash;
}

/** Counts and hashes a period's fills by month, while they are written. */
export class MonthTally {
  readonly months: readonly MonthTotals[];

  readonly #timeOf: Basis["timeOf"];

  constructor(period: Period, { timeOf }: Pick<Basis, "timeOf">) {
    this.#timeOf = timeOf;
    this.months = monthsOf(period).map((month) => ({ ...month, rows: 0, first: null, last: null, set: EMPTY_SET }));
  }

  /** `fills`: of the period, in order, none before those that were added already. `table`: their cells in fills.parquet, by columns. */
  add(fills: readonly Fill[], table: readonly Cells[]): void {
    let at = 0;
    for (const [row, fill] of fills.entries()) {
      const time = this.#timeOf(fill);
      while (time >= (this.months[at]?.to ?? Number.POSITIVE_INFINITY)) {
        at += 1;
      }
      const month = this.months[at];
      if (month === undefined) {
        throw new RangeError(`${time} is after the period`);
      }
      month.rows += 1;
      month.first ??= time;
      month.last = time;
      month.set = addSets(month.set, hashOfRow(table, row));
    }
  }

  /** Of the whole period. */
  get set(): SetHash {
    return this.months.reduce((sum, { set }) => addSets(sum, set), EMPTY_SET);
  }
}

/** SHA-256 of the row as the notes of completeness.json describe it, for readers of fills.parquet alone. */
function hashOfRow(table: readonly Cells[], row: number): SetHash {
  const cells = table.map((column) => hashedCell(column[row] ?? null));
  return BigInt(`0x${hash("sha256", JSON.stringify(cells), "hex")}`);
}

function hashedCell(cell: Cell): string | number | null {
  if (typeof cell === "bigint") {
    return formatUnits(cell, SCALE);
  }
  // The file is UTF-8, which has no lone surrogates.
  return typeof cell === "string" ? cell.toWellFormed() : cell;
}
