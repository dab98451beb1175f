import { addSets, EMPTY_SET, HashSum, type SetHash } from "../archive/set-hash.ts";
import type { Cell, Cells } from "../formats/parquet/table.ts";
import { formatUnits, SCALE } from "../model/decimal.ts";
import type { Fill } from "../model/fill.ts";
import { monthsOf, type Period, type PeriodMonth } from "../model/period.ts";
import type { Basis } from "./basis.ts";

/** What a pack holds of one month of its period. */
export interface MonthTotals extends Counted {
  /** Sum, modulo 2^256, of the hashes of its rows in fills.parquet. */
  readonly set: SetHash;
}

interface Counted extends PeriodMonth {
  rows: number;
  /** Times of its first and last fill, ms UTC; null where there is none. */
  first: number | null;
  last: number | null;
}

/** Counts and hashes a period's fills by month, while they are written. */
export class MonthTally {
  readonly #months: readonly { readonly totals: Counted; readonly hashes: HashSum }[];
  readonly #timeOf: Basis["timeOf"];

  constructor(period: Period, { timeOf }: Pick<Basis, "timeOf">) {
    this.#timeOf = timeOf;
    this.#months = monthsOf(period).map((month) => ({
      totals: { ...month, rows: 0, first: null, last: null },
      hashes: new HashSum(),
    }));
  }

  /** `fills`: of the period, in order, none before those that were added already; their cells in fills.parquet are in `table` from row `first`. */
  add(fills: readonly Fill[], table: readonly Cells[], first: number): void {
    let at = 0;
    for (const [place, fill] of fills.entries()) {
      const time = this.#timeOf(fill);
      while (time >= (this.#months[at]?.totals.to ?? Number.POSITIVE_INFINITY)) {
        at += 1;
      }
      const month = this.#months[at];
      if (month === undefined) {
        throw new RangeError(`${time} is after the period`);
      }
      month.totals.rows += 1;
      month.totals.first ??= time;
      month.totals.last = time;
      month.hashes.add(hashedText(table, first + place));
    }
  }

  get months(): readonly MonthTotals[] {
    return this.#months.map(({ totals, hashes }) => ({ ...totals, set: hashes.value }));
  }

  /** Of the whole period. */
  get set(): SetHash {
    return this.months.reduce((sum, { set }) => addSets(sum, set), EMPTY_SET);
  }
}

/** The row as the notes of completeness.json describe it, for readers of fills.parquet alone. */
function hashedText(table: readonly Cells[], row: number): string {
  return JSON.stringify(table.map((column) => hashedCell(column[row] ?? null)));
}

function hashedCell(cell: Cell): string | number | null {
  if (typeof cell === "bigint") {
    return cell === 0n ? NOTHING : formatUnits(cell, SCALE);
  }
  // The file is UTF-8, which has no lone surrogates.
  return typeof cell === "string" ? cell.toWellFormed() : cell;
}

/** Most trigger prices. */
const NOTHING = formatUnits(0n, SCALE);
