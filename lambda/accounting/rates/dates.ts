import { DAY_MS } from "../../core/time.ts";

/** Local dates, `2025-03-01`, both included. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

const FIRST_YEAR = 1900;
const LAST_YEAR = 2200;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// Each function reads one way to write a date. Null: the text is something else.

/** `2025-03-01` */
export function isoDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  return dayOf(year, month, day);
}

/** `01/03/2025`: the day comes first. */
export function slashDay(text: string): string | null {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text) ?? [];
  return dayOf(year, month, day);
}

/** `03-Jan-2023`, `31 Dec 2025` */
export function namedDay(text: string): string | null {
  const [, day, name = "", year] = /^(\d{2})[- ]([A-Z][a-z]{2})[- ](\d{4})$/.exec(text) ?? [];
  const month = MONTHS.indexOf(name) + 1;
  return dayOf(year, String(month).padStart(2, "0"), day);
}

/** `2025-03` */
export function isoMonth(text: string): Span | null {
  const first = /^\d{4}-\d{2}$/.test(text) ? isoDay(`${text}-01`) : null;
  return first === null ? null : monthFrom(first);
}

/** `2025` */
export function isoYear(text: string): Span | null {
  const from = /^\d{4}$/.test(text) ? isoDay(`${text}-01-01`) : null;
  return from === null ? null : { from, to: `${text}-12-31` };
}

/** The month that begins on the day. Null: the day is not the first of a month. */
export function monthFrom(day: string): Span | null {
  if (!day.endsWith("-01")) {
    return null;
  }
  // Day 0 of the next month.
  const last = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0));
  return { from: day, to: last.toISOString().slice(0, 10) };
}

/** The year that begins on the day. Null: the day is not 1 January. */
export function yearFrom(day: string): Span | null {
  return day.endsWith("-01-01") ? isoYear(day.slice(0, 4)) : null;
}

export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** In days. */
export function lengthOf({ from, to }: Span): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

function dayOf(year = "", month = "", day = ""): string | null {
  const text = `${year}-${month}-${day}`;
  const ms = Date.parse(`${text}T00:00:00Z`);
  const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
  return isDay && Number(year) >= FIRST_YEAR && Number(year) <= LAST_YEAR ? text : null;
}
