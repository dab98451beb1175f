import { DAY_MS } from "../../core/time.ts";

/** Local dates, `2025-03-01`, both included. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const FORMS = {
  /** `2025-03-01` */
  iso: /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
  /** `01/03/2025`: the day comes first. */
  slashes: /^(?<day>\d{2})\/(?<month>\d{2})\/(?<year>\d{4})$/,
  /** `03-Jan-2023`, `31 Dec 2025` */
  named: /^(?<day>\d{2})[- ](?<month>[A-Z][a-z]{2})[- ](?<year>\d{4})$/,
};
export type DayForm = keyof typeof FORMS;

/** A day as `2025-03-01`. Null: the text has another form, or there is no such day from 1900 to 2200. */
export function dayIn(text: string, form: DayForm = "iso"): string | null {
  const { year = "", month = "", day } = FORMS[form].exec(text)?.groups ?? {};
  const number = form === "named" ? String(MONTHS.indexOf(month) + 1).padStart(2, "0") : month;
  const iso = `${year}-${number}-${day}`;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  const isDay = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso);
  return isDay && year >= "1900" && year <= "2200" ? iso : null;
}

/** A day, a month `2025-03` or a year `2025`. Null: the text has another form. */
export function spanIn(text: string): Span | null {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  const from = dayIn(`${year}-${month ?? "01"}-${day ?? "01"}`);
  // Day 0 of the next month.
  const end = () => new Date(Date.UTC(Number(year), Number(month ?? 12), 0)).toISOString().slice(0, 10);
  return from === null ? null : { from, to: day === undefined ? end() : from };
}

/** How old a day's rate may be. It bridges weekends and holidays, but no gap in a file. */
export const MAX_AGE_DAYS = 7;

export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** In days. */
export function lengthOf({ from, to }: Span): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}
