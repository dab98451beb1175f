import { clockText } from "../../core/clock-text.ts";
import { type Period, parseTime } from "../../core/period.ts";
import { counted } from "../../core/text.ts";
import { BALANCES, FUNDING, MARKS, TRANSFERS } from "../../inputs/files.ts";
import type { Inputs } from "../../inputs/inputs.ts";

interface Dated {
  readonly name: string;
  /** By time; null: there is no file. */
  readonly rows: readonly { readonly time: number; readonly market?: string }[] | null;
  /** The times of rows that count, ms UTC, both ends included. */
  readonly from: number;
  readonly to: number;
  /** Those times, for people. */
  readonly when: string;
}

/**
 * One sentence for each of the user's files of which rows do not count in the period. Opening positions and rates
 * also count from before the period, and the rows of matches.csv have no time. `isOpen`: whether a market is open
 * at the end.
 */
export function outsidePeriod(
  { funding, transfers, balances, marks }: Inputs,
  period: Period,
  isOpen: (market: string) => boolean,
): string[] {
  const { from, to, firstDay, lastDay, zone } = period;
  const when = `in the period (${firstDay} to ${lastDay}, ${zone})`;
  const last = `for the period's last day (${lastDay}, ${zone})`;
  const files: readonly Dated[] = [
    { name: FUNDING, rows: funding, from, to: to - 1, when },
    { name: TRANSFERS, rows: transfers, from, to: to - 1, when },
    { name: BALANCES, rows: balances, from, to, when },
    { name: MARKS, rows: marks, ...markTimes(period), when: last },
  ];
  return files.flatMap((file) => sentenceOn(file, zone, isOpen) ?? []);
}

/** Null: every row counts. */
function sentenceOn({ name, rows, when, from, to }: Dated, zone: string, isOpen: (market: string) => boolean) {
  const all = rows ?? [];
  const [first, last] = [all.at(0)?.time ?? from, all.at(-1)?.time ?? from];
  const within = all.filter(({ time }) => from <= time && time <= to);
  const isPrice = name === MARKS;
  if (within.length === 0 && (isPrice ? all.length > 0 : last < from || to < first)) {
    return `${name} has no row ${when}: ${spanText(all.length, [first, last], zone)}`;
  }
  const used = isPrice ? new Set(within.map(({ market = "" }) => market).filter(isOpen)).size : within.length;
  const unused = all.length - used;
  const [are, they] = unused === 1 ? ["is", "it is"] : ["are", "they are"];
  const why = `${they} not ${isPrice ? "the last price of an open position " : ""}${when}`;
  return unused === 0
    ? null
    : `${name}: ${unused} of its ${counted(all.length, "row")} ${are} not used, because ${why}`;
}

function spanText(rows: number, [first, last]: readonly [number, number], zone: string): string {
  return rows === 1
    ? `its row is for ${clockText(first, zone)}`
    : `its ${counted(rows, "row")} are from ${clockText(first, zone)} to ${clockText(last, zone)}`;
}

/** When a price counts as one of the period's end, both ends included. */
export function markTimes({ to, lastDay, zone }: Period): { readonly from: number; readonly to: number } {
  return { from: parseTime(lastDay, zone), to };
}
