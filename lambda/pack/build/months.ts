import { addSets, EMPTY_SET, HashSum, type SetHash } from "../../archive/set-hash.ts";
import { SCALE } from "../../core/decimal.ts";
import type { Fill } from "../../core/fill.ts";
import { monthsOf, type Period, type PeriodMonth } from "../../core/period.ts";
import type { ColumnValue } from "../../formats/parquet.ts";
import type { DateBy } from "./date-by.ts";

/** What a pack holds of one month of its period. */
export interface MonthTotals extends Counted {
  /** The sum, modulo 2^256, of the hashes of its rows in fills.parquet. */
  readonly set: SetHash;
}

interface Counted extends PeriodMonth {
  rows: number;
  /** The times of its first and last fill, ms UTC. Null: no fills. */
  first: number | null;
  last: number | null;
}

/** Counts and hashes a period's fills by month while they are written. */
export class MonthTally {
  readonly #months: readonly { readonly totals: Counted; readonly hashes: HashSum }[];
  readonly #timeOf: DateBy["timeOf"];
  /** The index of the last row's month. */
  #at = 0;

  constructor(period: Period, { timeOf }: Pick<DateBy, "timeOf">) {
    this.#timeOf = timeOf;
    this.#months = monthsOf(period).map((month) => ({
      totals: { ...month, rows: 0, first: null, last: null },
      hashes: new HashSum(),
    }));
  }

  /**
   * Adds a fill of the period, not earlier than the one before, with its cells in fills.parquet and
   * fills.csv.
   */
  add(fill: Fill, cells: readonly ColumnValue[], texts: readonly (string | null)[]): void {
    const time = this.#timeOf(fill);
    while (time >= (this.#months[this.#at]?.totals.to ?? Number.POSITIVE_INFINITY)) {
      this.#at += 1;
    }
    const month = this.#months[this.#at];
    if (month === undefined) {
      throw new RangeError(`${time} is after the period`);
    }
    month.totals.rows += 1;
    month.totals.first ??= time;
    month.totals.last = time;
    month.hashes.add(hashedText(cells, texts));
  }

  get months(): readonly MonthTotals[] {
    return this.#months.map(({ totals, hashes }) => ({ ...totals, set: hashes.value }));
  }

  /** The hash of the whole period. */
  get set(): SetHash {
    return this.months.reduce((sum, { set }) => addSets(sum, set), EMPTY_SET);
  }
}

/**
 * The row as the notes of completeness.json describe it, for readers of fills.parquet alone. `texts`: its
 * cells in fills.csv.
 */
function hashedText(cells: readonly ColumnValue[], texts: readonly (string | null)[]): string {
  return JSON.stringify(
    cells.map((cell, column) =>
      typeof cell === "bigint" ? hashedDecimal(cell, texts[column] ?? "") : hashedCell(cell),
    ),
  );
}

/** The file is UTF-8, which has no lone surrogates. */
function hashedCell(cell: string | number | null): string | number | null {
  return typeof cell === "string" ? cell.toWellFormed() : cell;
}

/** The number with all 18 places. `text` has the digits of the number. */
function hashedDecimal(units: bigint, text: string): string {
  if (units === 0n) {
    return NOTHING;
  }
  const point = text.indexOf(".");
  return point === -1 ? `${text}.${ZEROS}` : text + ZEROS.slice(text.length - point - 1);
}

const ZEROS = "0".repeat(SCALE);
/** Most trigger prices are zero. */
const NOTHING = `0.${ZEROS}`;
