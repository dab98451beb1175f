import type { Coverage } from "../archive/manifest.ts";
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

/** A value from the service for a cell: text unchanged, null or undefined as empty, anything else as JSON. */
export function cell(value: unknown): string {
  if (typeof value === "string") {
    return value;
  }
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

/** A time from the service, ms UTC, for people; any other value as it is. */
export function timeCell(value: unknown): string {
  const isTime = typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= LATEST_MS;
  return isTime ? isoTime(value) : cell(value);
}

/** The last time that a Date can hold: ECMA-262, 21.4.1.1. */
const LATEST_MS = 8.64e15;

export function span(range: TimeRange): string {
  return `${isoTime(range.from)} to ${isoTime(range.to)}`;
}

/** A day or minute for people. Rounded down, so that it never claims more than is known. */
export function minuteText(ms: number): string {
  return ms % DAY_MS === 0 ? isoTime(ms).slice(0, 10) : `${isoTime(ms).slice(0, 16).replace("T", " ")} UTC`;
}

/** A range in JSON: ISO 8601 UTC with milliseconds. */
export function jsonRange(range: TimeRange): { readonly from: string; readonly to: string } {
  return { from: isoTime(range.from), to: isoTime(range.to) };
}

/** A covered range in JSON, with how often it was read. */
export function jsonCoverage({ readings, ...range }: Coverage) {
  return { ...jsonRange(range), readings };
}
