import { addSets, EMPTY_SET, HashSum, type SetHash } from "../archive/set-hash.ts";
import { FILL_COLUMNS, type FillRow } from "../fills/columns.ts";
import type { Cells } from "../formats/parquet/table.ts";
import { formatUnits, SCALE } from "../model/decimal.ts";
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

  /** `rows`: of the period, in order, none before those that were added already; their cells in fills.parquet are in `table` from row `first`. */
  add(rows: readonly FillRow[], table: readonly Cells[], first: number): void {
    let at = 0;
    let place = first;
    for (const row of rows) {
      const time = this.#timeOf(row.fill);
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
      month.hashes.add(hashedText(row, table, place));
      place += 1;
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
function hashedText(row: FillRow, table: readonly Cells[], place: number): string {
  return JSON.stringify(
    table.map((cells, column) => {
      const cell = cells[place] ?? null;
      return typeof cell === "bigint" ? hashedDecimal(cell, sentText(row, column)) : hashedCell(cell);
    }),
  );
}

/** The file is UTF-8, which has no lone surrogates. */
function hashedCell(cell: string | number | null): string | number | null {
  return typeof cell === "string" ? cell.toWellFormed() : cell;
}

/** With all 18 places. `sent`: the service's text of it, null where there is none; its digits are those of the number. */
function hashedDecimal(units: bigint, sent: string | null): string {
  if (units === 0n) {
    return NOTHING;
  }
  if (sent === null) {
    return formatUnits(units, SCALE);
  }
  const point = sent.indexOf(".");
  return point === -1 ? `${sent}.${ZEROS}` : sent + ZEROS.slice(sent.length - point - 1);
}

function sentText(row: FillRow, place: number): string | null {
  const column = FILL_COLUMNS[place];
  return column?.kind === "decimal" && column.field !== null ? column.text(row) : null;
}

const ZEROS = "0".repeat(SCALE);
/** Most trigger prices. */
const NOTHING = formatUnits(0n, SCALE);
