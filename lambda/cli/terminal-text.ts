import { visible } from "../core/log.ts";
import { DAY_MS, isoTime, type TimeRange } from "../core/time.ts";

/**
 * A table for people: aligned columns, two spaces apart, every cell safe to print. Amounts stay as they are.
 */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [header, ...rows].map((row) => row.map(visible));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

export function span(range: TimeRange): string {
  return `${isoTime(range.from)} to ${isoTime(range.to)}`;
}

/** A day or minute for people. Rounded down, so that it never claims more than is known. */
export function minuteText(ms: number): string {
  return ms % DAY_MS === 0 ? isoTime(ms).slice(0, 10) : `${isoTime(ms).slice(0, 16).replace("T", " ")} UTC`;
}

/** Fields of fillbook's own records that hold times. */
const TIMES = ["from", "to", "endedAt", "checkedAt", "madeAt", "newest", "older", "asOf", "breakFrom"];

/** A record as JSON. Its times, ms UTC, are written as ISO 8601 UTC with milliseconds. */
export function jsonText(record: object): string {
  return JSON.stringify(record, (name, value) => {
    const shown = typeof value === "number" && TIMES.includes(name) ? isoTime(value) : value;
    return name === "silentIn" ? undefined : shown; // of coverage; status says how wide silence was asked
  });
}
