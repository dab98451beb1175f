import { fieldsIn, isRecord } from "../../core/record.ts";

/** A longer latest.json is not read. */
export const MAX_LATEST_BYTES = 10_000;

/** The notes of versions in the text of a latest.json; none if it has none. */
export function notedIn(latest: string): readonly Readonly<Record<string, unknown>>[] {
  const { noted } = fieldsIn(latest);
  return Array.isArray(noted) ? noted.filter(isRecord) : [];
}
