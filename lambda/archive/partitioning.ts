import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type TimeRange } from "../core/time.ts";

/**
 * Partitions of UTC time: a calendar month, its halves, their halves, and so on down to a millisecond. A
 * partition with at most MAX_DATA_FILE_ROWS rows is one data file; a fuller one is cut in half. The cut
 * therefore depends on the fills alone, a late row changes one data file, and the two halves of a cut hold
 * more than MAX_DATA_FILE_ROWS together. With data files twice as large, twice as many commits would rewrite
 * each one.
 */
export const MAX_DATA_FILE_ROWS = 10_000;

const UNITS_MS = [DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, 1] as const;

export function monthOf(time: number): TimeRange {
  const date = new Date(time);
  const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  return { from, to: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) };
}

/**
 * The two halves of a partition, cut at a whole day, hour, minute or second. The first half is never longer
 * than the second. Null for a millisecond.
 */
export function halvesOf({ from, to }: TimeRange): readonly [TimeRange, TimeRange] | null {
  const unitMs = UNITS_MS.find((unit) => unit < to - from);
  if (unitMs === undefined) {
    return null;
  }
  const middle = from + unitMs * Math.floor((to - from) / unitMs / 2);
  return [
    { from, to: middle },
    { from: middle, to },
  ];
}

interface PartitionRows<T> {
  readonly partition: TimeRange;
  readonly rows: readonly T[];
}

/** A partition's halves, each with its rows in their order. Null for a millisecond. */
export function rowsOfHalves<T extends { readonly txCreated: number }>(
  partition: TimeRange,
  rows: readonly T[],
): readonly [PartitionRows<T>, PartitionRows<T>] | null {
  const halves = halvesOf(partition);
  if (halves === null) {
    return null;
  }
  const [earlier, later] = [
    { partition: halves[0], rows: [] as T[] },
    { partition: halves[1], rows: [] as T[] },
  ];
  for (const row of rows) {
    const half = row.txCreated < later.partition.from ? earlier : later;
    half.rows.push(row);
  }
  return [earlier, later];
}

/**
 * Halves `partition` until each piece has at most `maxRows` rows or is a millisecond. Returns the pieces that
 * have rows.
 */
export function cutByRows<T extends { readonly txCreated: number }>(
  partition: TimeRange,
  rows: readonly T[],
  maxRows: number,
): readonly PartitionRows<T>[] {
  const halves = rows.length > maxRows ? rowsOfHalves(partition, rows) : null;
  if (halves === null) {
    return rows.length === 0 ? [] : [{ partition, rows }];
  }
  return halves.flatMap((half) => cutByRows(half.partition, half.rows, maxRows));
}
