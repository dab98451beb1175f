import { usageError } from "../../core/errors.ts";
import { parseTime } from "../../core/period.ts";
import { lastDayInstead } from "../../core/suggest.ts";
import type { Args } from "./command.ts";

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?$/;
const FIRST_YEAR = 2000; // earlier is a slip of the finger: the service's times are ms, and its accounts are young
const LAST_YEAR = 2100;

/** `--from` and `--to` as ms UTC, if given. Refuses an empty or reversed range. */
export function readRange(given: Args): { readonly from?: number; readonly to?: number } {
  const from = given.text("from");
  const to = given.text("to");
  const range = {
    ...(from === undefined ? {} : { from: readTime(from, "--from") }),
    ...(to === undefined ? {} : { to: readTime(to, "--to") }),
  };
  if (range.from !== undefined && range.to !== undefined && range.from >= range.to) {
    const hint = "--to is not included: for one day, write --from 2025-01-01 --to 2025-01-02";
    throw usageError(`--from ${from} is not before --to ${to}`, hint);
  }
  return range;
}

/**
 * ms UTC of a date (midnight UTC) or of a date-time with its offset. `dateMeans`: how a date is interpreted,
 * for messages.
 */
export function readTime(text: string, where: string, dateMeans = "midnight UTC"): number {
  const offset = DATE_TIME.exec(text);
  if (offset === null && !DATE.test(text)) {
    const hint = `write ${where} 2025-01-01 (${dateMeans}), or ${where} 2025-01-01T09:30:00Z`;
    throw usageError(`${where} is "${text}", which is not a time`, hint);
  }
  if (offset !== null && offset[1] === undefined) {
    const hint = `write ${where} ${text}Z if it is UTC, or the offset: ${where} ${text}+01:00`;
    throw usageError(`${where} is "${text}", a time without its offset from UTC`, hint);
  }
  const year = Number(text.slice(0, 4));
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    const hint = `write ${where} 2025-01-01`;
    throw usageError(`${where} is "${text}": the year must be from ${FIRST_YEAR} to ${LAST_YEAR}`, hint);
  }
  try {
    return parseTime(text, "UTC");
  } catch (error) {
    const day = lastDayInstead(text.slice(0, 10));
    const hint =
      day === null
        ? `write ${where} 2025-01-31, or ${where} 2025-01-31T09:30:00Z`
        : `did you mean ${where} ${day}${text.slice(10)}? A range ends before --to`;
    throw usageError(`${where} is "${text}": there is no such day or hour`, hint, error);
  }
}

/** The folder that a flag names; undefined if the flag was not given. */
export function readFolder(given: Args, flag: string, example: string): string | undefined {
  const typed = given.text(flag);
  if (typed === "") {
    throw usageError(`--${flag} is empty`, `name a folder, for example: --${flag} ${example}`);
  }
  return typed;
}
