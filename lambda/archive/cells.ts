import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type TimeRange } from "../model/time.ts";

/**
 * Calendar cells, UTC: a month, its days, their hours, down to a millisecond. Parts are cut along them: a cell with at most MAX_PART_ROWS rows
 * is one part, a fuller one is cut into its children. So the cut depends on the fills alone, and a late row touches one part.
 */
export const MAX_PART_ROWS = 25_000;

const CHILD_WIDTHS_MS = [DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, 1] as const;

export interface Cell extends TimeRange {
  /** 0: month, 1: day, 2: hour, 3: minute, 4: second, 5: millisecond */
  readonly level: number;
}

export function monthOf(time: number): Cell {
  const date = new Date(time);
  const from = Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  return { from, to: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1), level: 0 };
}

/** The child of `cell` that holds `time`; null for a millisecond, which has none. */
export function childOf(cell: Cell, time: number): Cell | null {
  const widthMs = CHILD_WIDTHS_MS[cell.level];
  if (widthMs === undefined) {
    return null;
  }
  const from = time - (((time % widthMs) + widthMs) % widthMs);
  return { from, to: from + widthMs, level: cell.level + 1 };
}
