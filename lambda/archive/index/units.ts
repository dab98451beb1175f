import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange } from "../../core/time.ts";

/** A unit of the calendar, UTC. */
export interface Unit extends TimeRange {
  /** 0: all of time; then years, months, days, hours, minutes. */
  readonly level: number;
}

/** The years that a time is written with in four digits: 0000 to 9999. */
export const ALL: Unit = { from: -62_167_219_200_000, to: 253_402_300_800_000, level: 0 };
const MINUTE = 5;

export function isSmallest({ level }: Unit): boolean {
  return level === MINUTE;
}

/** The unit right below `above` that holds `time`. */
export function unitBelow(above: Unit, time: number): Unit {
  return { ...rangeAt(above.level + 1, time), level: above.level + 1 };
}

function rangeAt(level: number, time: number): TimeRange {
  switch (level) {
    case 1: {
      const year = new Date(time).getUTCFullYear();
      return { from: monthStart(year, 0), to: monthStart(year + 1, 0) };
    }
    case 2: {
      const date = new Date(time);
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
      return { from: monthStart(year, month), to: monthStart(year, month + 1) };
    }
    case 3:
      return evenRange(DAY_MS, time);
    case 4:
      return evenRange(HOUR_MS, time);
    case MINUTE:
      return evenRange(MINUTE_MS, time);
    default:
      throw new RangeError(`the calendar has no level ${level}`);
  }
}

/** `Date.UTC` takes the years 0 to 99 for 1900 to 1999. */
function monthStart(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}

function evenRange(unitMs: number, time: number): TimeRange {
  const from = unitMs * Math.floor(time / unitMs);
  return { from, to: from + unitMs };
}

/** `2025`, `2025-03`, `2025-03-14`, `2025-03-14T05`, `2025-03-14T0530`: no character that a file system refuses. */
export function unitName({ from, level }: Unit): string {
  const digits = [0, 4, 7, 10, 13, 16][level] ?? 0;
  return new Date(from).toISOString().slice(0, digits).replace(":", "");
}
