import type { Fill } from "../../core/fill.ts";
import { monthsOf, type Period, type PeriodMonth } from "../../core/period.ts";
import type { DateBy } from "./date-by.ts";

/** What a pack holds of one month of its period. */
export interface MonthTotals extends PeriodMonth {
  rows: number;
  /** The times of its first and last fill, ms UTC. Null: no fills. */
  first: number | null;
  last: number | null;
}

/** Counts a period's fills by month while they are written. */
export class MonthTally {
  readonly months: readonly Readonly<MonthTotals>[];
  readonly #open: MonthTotals[];
  readonly #timeOf: DateBy["timeOf"];

  constructor(period: Period, { timeOf }: Pick<DateBy, "timeOf">) {
    this.#timeOf = timeOf;
    this.#open = monthsOf(period).map((month) => ({ ...month, rows: 0, first: null, last: null }));
    this.months = [...this.#open];
  }

  /** Adds a fill of the period, not earlier than the one before. */
  add(fill: Fill): void {
    const time = this.#timeOf(fill);
    while (time >= (this.#open[0]?.to ?? Number.POSITIVE_INFINITY)) {
      this.#open.shift();
    }
    const [month] = this.#open;
    if (month === undefined) {
      throw new RangeError(`${time} is after the period`);
    }
    month.rows += 1;
    month.first ??= time;
    month.last = time;
  }
}
