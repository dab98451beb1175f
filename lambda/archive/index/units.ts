import { HOUR_MS, MINUTE_MS, type TimeRange } from "../../core/time.ts";

/** A unit of the calendar, UTC. */
export interface Unit extends TimeRange {
  /** 0: all time. Then years, months, days, hours, minutes. */
  readonly level: number;
}

/** The times whose year has four digits: 0000 to 9999. */
export const ALL: Unit = { from: -62_167_219_200_000, to: 253_402_300_800_000, level: 0 };
const MINUTE = 5;

export function isSmallest({ level }: Unit): boolean {
  return level === MINUTE;
}

/** The unit one level below `above` that holds `time`. */
export function unitBelow(above: Unit, time: number): Unit {
  if (isSmallest(above)) {
    throw new RangeError("the index has no unit below a minute");
  }
  const date = new Date(time);
  const all = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()];
  const fields = all.slice(0, above.level + 1);
  const next = fields.with(-1, (fields.at(-1) ?? 0) + 1);
  return { from: startOf(fields), to: startOf(next), level: above.level + 1 };
}

function startOf([year = 0, month = 0, day = 1, hour = 0, minute = 0]: readonly number[]): number {
  // `Date.UTC` would read the years 0 to 99 as 1900 to 1999.
  return new Date(0).setUTCFullYear(year, month, day) + hour * HOUR_MS + minute * MINUTE_MS;
}

/**
 * `2025`, `2025-03`, `2025-03-14`, `2025-03-14T05`, `2025-03-14T0530`. Every file system accepts these names.
 */
export function unitName({ from, level }: Unit): string {
  const digits = [0, 4, 7, 10, 13, 16][level] ?? 0;
  return new Date(from).toISOString().slice(0, digits).replace(":", "");
}
