import { FillbookError, usageError } from "./errors.ts";
import { lastDayInstead } from "./suggest.ts";
import { isSplit, TAX_YEARS, type TaxYear } from "./tax-years.ts";
import { DAY_MS, isoTime } from "./time.ts";

/** The days that a typed period name means, in any zone. */
export interface NamedDays {
  /** The one name of these days: `au-2024-25`, even if `au-2025` was typed. */
  readonly name: string;
  /** Local dates. */
  readonly firstDay: string;
  /** The first day after the period. */
  readonly nextDay: string;
  /** The default zone. */
  readonly zone: string;
}

/**
 * What a pack's period name says about its time, `[from, to)`: local dates, or instants as ISO 8601 UTC. They
 * sort as text.
 */
export interface NamedTime {
  readonly from: string;
  readonly to: string;
  /** What to type for this period, apart from the zone. Null: type its dates. */
  readonly typed: string | null;
}

const FIRST_YEAR = 1970;
const LAST_YEAR = 2200;
const HINT =
  "type a country and a year (us-2025, uk-2024-25), calendar-2025, year-2025-07-01 or month-2025-03; `fillbook periods` lists them all; or give --from and --to";

/**
 * Says how a typed name was understood: `au-2025 is au-2024-25: 1 July 2024 to 30 June 2025
 * (Australia/Sydney)`.
 */
export function takenFor(typed: string, zone?: string): string {
  const { name, firstDay, nextDay, zone: defaultZone } = readTypedName(typed);
  const days = `${dayInWords(firstDay)} to ${dayInWords(dayBefore(nextDay))} (${zone ?? defaultZone})`;
  return typed === name ? `${name}: ${days}` : `${typed} is ${name}: ${days}`;
}

const IN_WORDS = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** `1 July 2024` */
export function dayInWords(date: string): string {
  return IN_WORDS.format(Date.parse(date));
}

/** A kind of period that can be typed. */
export interface PeriodListing {
  /** What to type: `us-YYYY`. */
  readonly pattern: string;
  readonly label: string;
  /** The name of the example. */
  readonly name: string;
  /** Local dates of the example. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly zone: string;
}

/** All kinds of periods, with the given year as the example. */
export function listPeriods(year = 2025): readonly PeriodListing[] {
  return [
    ...listTaxYears(year),
    listing("year-YYYY-MM-DD", "Twelve months from any day", `year-${year}-07-01`),
    listing("month-YYYY-MM", "Calendar month", `month-${year}-03`),
  ];
}

/** The tax years that end in the year. */
export function listTaxYears(year: number): readonly PeriodListing[] {
  return TAX_YEARS.map((one) =>
    listing(`${one.code}-${isSplit(one) ? "YYYY-YY" : "YYYY"}`, one.label, `${one.code}-${year}`),
  );
}

function listing(pattern: string, label: string, typed: string): PeriodListing {
  const { name, firstDay, nextDay, zone } = readTypedName(typed);
  return { pattern, label, name, firstDay, lastDay: dayBefore(nextDay), zone };
}

function dayBefore(date: string): string {
  return dayText(Date.parse(date) - DAY_MS);
}

/** The one name of the typed period. Null: the text is not a period's name. */
export function nameOfTyped(typed: string): string | null {
  return daysOrNull(typed)?.name ?? null;
}

/**
 * Reads the name of a pack's folder, for sorting and searching. The pack's completeness.json has the exact
 * time. Null: the name says nothing about its time.
 */
export function readPackName(name: string): NamedTime | null {
  const custom = CUSTOM.exec(name)?.groups;
  if (custom !== undefined) {
    return { from: isoOf(custom["from"] ?? ""), to: isoOf(custom["to"] ?? ""), typed: null };
  }
  const typed = NAMED.exec(name)?.groups?.["typed"] ?? "";
  const days = daysOrNull(typed);
  return days?.name === typed ? { from: days.firstDay, to: days.nextDay, typed } : null;
}

/** The name of any range. `from` and `to` are dates, or instants as ISO 8601 UTC. */
export function customName(from: string, to: string): string {
  return `custom-${boundaryName(from)}-${boundaryName(to)}`;
}

/** A pack of the same period in another zone is another pack. A key may not contain `/`, `+` or `:`. */
export function zoneSuffix(zone: string, defaultZone: string): string {
  return zone === defaultZone ? "" : `-${zone.replaceAll("/", "_").replaceAll("+", "=").replaceAll(":", ".")}`;
}

/** Throws `usage`. */
export function checkYear(text: string, year: number): void {
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    throw usageError(`${JSON.stringify(text)} is out of range: years go from ${FIRST_YEAR} to ${LAST_YEAR}`, HINT);
  }
}

const INSTANT = String.raw`\d{8}T\d{6}\.\d{3}Z`;
const CUSTOM = new RegExp(
  String.raw`^custom-(?<from>\d{4}-\d{2}-\d{2}|${INSTANT})-(?<to>\d{4}-\d{2}-\d{2}|${INSTANT})(?:-|$)`,
);
/** A zone may follow the name. No zone begins with a digit. */
const NAMED = /^(?<typed>[a-z]+-\d{4}(?:-\d{2}){0,2})(?:-\D|$)/;
const TYPED = /^(?<code>[a-z]+)-(?<year>\d{4})(?:-(?<second>\d{2})(?:-(?<third>\d{2}))?)?$/;
/** Two years written another way than `2024-25`: `2024-2025`, `2024/25`. */
const TWO_YEARS = /^(?<code>[a-z]+)-(?<year>\d{4})(?:-|\/)(?:\d{2}|\d{4})$/;

function daysOrNull(typed: string): NamedDays | null {
  try {
    return readTypedName(typed);
  } catch (error) {
    if (error instanceof FillbookError) {
      return null;
    }
    throw error;
  }
}

/** Throws `usage` if the text is not a period's name. */
export function readTypedName(typed: string): NamedDays {
  const { code = "", year: digits = "", second, third } = TYPED.exec(typed)?.groups ?? {};
  const year = Number(digits);
  if (code === "year" && second !== undefined && third !== undefined) {
    checkYear(typed, year);
    const firstDay = dateOf(typed, year, Number(second), Number(third));
    return { name: typed, firstDay, nextDay: yearAfter(typed, firstDay), zone: "UTC" };
  }
  if (code === "month" && second !== undefined && third === undefined) {
    checkYear(typed, year);
    const firstDay = dateOf(typed, year, Number(second), 1);
    return { name: typed, firstDay, nextDay: dayText(Date.UTC(year, Number(second), 1)), zone: "UTC" };
  }
  const known = TAX_YEARS.find((one) => one.code === code);
  if (known === undefined || third !== undefined) {
    throw unknownPeriod(typed);
  }
  if (second === undefined) {
    return taxYear(typed, known, isSplit(known) ? year - 1 : year);
  }
  const days = isSplit(known) ? taxYear(typed, known, year) : null;
  if (days?.name !== typed) {
    throw unknownPeriod(typed);
  }
  return days;
}

function taxYear(typed: string, known: TaxYear, begins: number): NamedDays {
  const last = isSplit(known) ? begins + 1 : begins;
  checkYear(typed, last);
  const [month, day] = known.begins;
  const firstDay = dateOf(typed, begins, month, day);
  const years = isSplit(known) ? `${begins}-${twoDigits(last)}` : String(begins);
  return { name: `${known.code}-${years}`, firstDay, nextDay: nextYear(firstDay), zone: known.zone };
}

function twoDigits(year: number): string {
  return String(year % 100).padStart(2, "0");
}

function dateOf(typed: string, year: number, month: number, day: number): string {
  const date = [year, twoDigits(month), twoDigits(day)].join("-");
  if (month < 1 || dayText(Date.UTC(year, month - 1, day)) !== date) {
    throw unknownPeriod(typed);
  }
  return date;
}

/** The same day of the next year. 29 February has none. */
function yearAfter(typed: string, first: string): string {
  const next = nextYear(first);
  if (next.endsWith("-02-29")) {
    const what = `${JSON.stringify(typed)} begins on a day that does not exist in the next year`;
    throw usageError(what, "give --from and --to instead of --period");
  }
  return next;
}

function nextYear(date: string): string {
  return `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`;
}

function dayText(ms: number): string {
  return isoTime(ms).slice(0, 10);
}

function unknownPeriod(typed: string): FillbookError {
  return usageError(`not a period: ${JSON.stringify(typed)}`, hintFor(typed));
}

/**
 * Suggests a name: for two years that do not name a tax year, the tax year that begins in the first; else the
 * name that was probably meant.
 */
function hintFor(typed: string): string {
  const { code, year = "" } = TWO_YEARS.exec(typed)?.groups ?? {};
  const known = TAX_YEARS.find((one) => one.code === code);
  if (known !== undefined) {
    const { name, firstDay } = taxYear(typed, known, Number(year));
    return `the tax year that begins on ${firstDay} is ${name}; \`fillbook periods\` lists all periods`;
  }
  const meant = meantBy(typed);
  return meant === null ? HINT : `did you mean ${meant}? \`fillbook periods\` lists all periods`;
}

/** Codes that people write for those of the table. */
const CALLED: ReadonlyMap<string, string> = new Map([
  ["usa", "us"],
  ["gb", "uk"],
  ["year", "calendar"],
]);

/**
 * The name that differs by case, by a sign between its pieces, or by a day that its month does not have;
 * null: none.
 */
function meantBy(typed: string): string | null {
  const pieces =
    /^([a-z]*)[-_ ./]?(\d{4})(?:[-_ ./]?(\d\d))?(?:[-_ ./]?(\d\d))?$/.exec(typed.trim().toLowerCase()) ?? [];
  const [, word = "", year, second, third] = pieces;
  const days = [year, second, third].filter((piece) => piece !== undefined).join("-");
  const code = third === undefined ? (CALLED.get(word) ?? word) : word;
  const kind = second === undefined ? "calendar" : "month";
  const name = `${code === "" ? kind : code}-${lastDayInstead(days) ?? days}`;
  return name !== typed && daysOrNull(name) !== null ? name : null;
}

/** A date stays as it is. An instant becomes `20250301T123000.000Z`, because a key may not contain `:`. */
function boundaryName(iso: string): string {
  return iso.includes("T") ? iso.replaceAll(/[-:]/g, "") : iso;
}

/** The inverse of `boundaryName`. */
function isoOf(boundary: string): string {
  return boundary.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})/, "$1-$2-$3T$4:$5:");
}
