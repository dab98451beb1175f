import { clockText } from "../../core/clock-text.ts";
import { type Period, parseTime } from "../../core/period.ts";
import { counted } from "../../core/text.ts";
import { BALANCES, FUNDING, MARKS, TRANSFERS } from "../../inputs/files.ts";
import type { Inputs } from "../../inputs/inputs.ts";

interface Dated {
  readonly name: string;
  /** By time; null: there is no file. */
  readonly rows: readonly { readonly time: number }[] | null;
  /** The times of rows that count, ms UTC, both ends included. */
  readonly from: number;
  readonly to: number;
  /** Those times, for people. */
  readonly when: string;
}

/**
 * One sentence for each of the user's files whose rows are all before the period, or all after it. Rows on
 * both sides show that the file covers the period, and a file without rows says that there was nothing; but
 * of marks.csv, one row must count. Opening positions and rates also count from before the period, and the
 * rows of matches.csv have no time.
 */
export function outsidePeriod({ funding, transfers, balances, marks }: Inputs, period: Period): string[] {
  const { from, to, firstDay, lastDay, zone } = period;
  const when = `in the period (${firstDay} to ${lastDay}, ${zone})`;
  const files: readonly Dated[] = [
    { name: FUNDING, rows: funding, from, to: to - 1, when },
    { name: TRANSFERS, rows: transfers, from, to: to - 1, when },
    { name: BALANCES, rows: balances, from, to, when },
    { name: MARKS, rows: marks, ...markTimes(period), when: `for the period's last day (${lastDay}, ${zone})` },
  ];
  return files.flatMap((file) => {
    const times = (file.rows ?? []).map(({ time }) => time);
    const [first, last] = [times[0], times.at(-1)];
    if (first === undefined || last === undefined) {
      return [];
    }
    const isCovered =
      file.name === MARKS
        ? times.some((time) => file.from <= time && time <= file.to)
        : first <= file.to && file.from <= last;
    if (isCovered) {
      return [];
    }
    const rows =
      times.length === 1
        ? `its row is for ${clockText(first, zone)}`
        : `its ${counted(times.length, "row")} are from ${clockText(first, zone)} to ${clockText(last, zone)}`;
    return [`${file.name} has no row ${file.when}: ${rows}`];
  });
}

/** When a price counts as one of the period's end, both ends included. */
export function markTimes({ to, lastDay, zone }: Period): { readonly from: number; readonly to: number } {
  return { from: parseTime(lastDay, zone), to };
}
