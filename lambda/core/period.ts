import { Temporal } from "temporal-polyfill";
import { FillbookError } from "./errors.ts";
import { isoTime, type TimeRange } from "./time.ts";

/** The time that a pack is for: `[from, to)` in ms UTC, and the days that it means where the zone's clocks hang. */
export interface Period extends TimeRange {
  /** Names the pack's folder: letters, digits, `.`, `_`, `=`, `-`. */
  readonly name: string;
  /** IANA */
  readonly zone: string;
  /** Local dates, `2025-04-06`; the last day is the one that the last ms falls on. */
  readonly firstDay: string;
  readonly lastDay: string;
}

interface Preset {
  readonly code: string;
  readonly label: string;
  /** The default: a country with several zones has no right one. */
  readonly zone: string;
  /** Month and day that the tax year begins with; it is named for the calendar year of that day. */
  readonly begins: readonly [month: number, day: number];
}

/** Dates and a default zone only, no tax advice. The tax years of nz, za, hk, at, ie, nl, es, it and sg are unverified. */
const PRESETS: readonly Preset[] = [
  { code: "us", label: "United States", zone: "America/New_York", begins: [1, 1] },
  { code: "uk", label: "United Kingdom", zone: "Europe/London", begins: [4, 6] },
  { code: "de", label: "Germany", zone: "Europe/Berlin", begins: [1, 1] },
  { code: "fr", label: "France", zone: "Europe/Paris", begins: [1, 1] },
  { code: "ch", label: "Switzerland", zone: "Europe/Zurich", begins: [1, 1] },
  { code: "ca", label: "Canada", zone: "America/Toronto", begins: [1, 1] },
  { code: "au", label: "Australia", zone: "Australia/Sydney", begins: [7, 1] },
  { code: "in", label: "India", zone: "Asia/Kolkata", begins: [4, 1] },
  { code: "jp", label: "Japan", zone: "Asia/Tokyo", begins: [1, 1] },
  { code: "nz", label: "New Zealand", zone: "Pacific/Auckland", begins: [4, 1] },
  { code: "za", label: "South Africa", zone: "Africa/Johannesburg", begins: [3, 1] },
  { code: "hk", label: "Hong Kong", zone: "Asia/Hong_Kong", begins: [4, 1] },
  { code: "at", label: "Austria", zone: "Europe/Vienna", begins: [1, 1] },
  { code: "ie", label: "Ireland", zone: "Europe/Dublin", begins: [1, 1] },
  { code: "nl", label: "Netherlands", zone: "Europe/Amsterdam", begins: [1, 1] },
  { code: "es", label: "Spain", zone: "Europe/Madrid", begins: [1, 1] },
  { code: "it", label: "Italy", zone: "Europe/Rome", begins: [1, 1] },
  { code: "sg", label: "Singapore", zone: "Asia/Singapore", begins: [1, 1] },
  { code: "calendar", label: "Calendar year", zone: "UTC", begins: [1, 1] },
];

const FIRST_YEAR = 1970;
const LAST_YEAR = 2200;
const HINT =
  "type a country and a year (us-2025, uk-2025), calendar-2025, year-2025-07-01 or month-2025-03; `fillbook periods` lists them all; or give --from and --to";

/**
 * `us-2025`, `uk-2025`, …, `calendar-2025`, `month-2025-03`, or the twelve months from any day, `year-2025-07-01`; in the preset's zone if none is given.
 * Throws `usage` on any other name.
 */
export function parsePeriod(name: string, zone?: string): Period {
  const {
    code = "",
    year = "",
    month,
    day,
  } = /^(?<code>[a-z]+)-(?<year>\d{4})(?:-(?<month>\d{2})(?:-(?<day>\d{2}))?)?$/.exec(name)?.groups ?? {};
  if (year !== "") {
    checkYear(name, Number(year));
  }
  if (code === "year" && month !== undefined && day !== undefined) {
    const first = dateOf(name, Number(year), Number(month), Number(day));
    return namedPeriod(name, first, yearAfter(name, first), zone, "UTC");
  }
  if (code === "month" && month !== undefined && day === undefined) {
    const first = dateOf(name, Number(year), Number(month), 1);
    return namedPeriod(name, first, first.add({ months: 1 }), zone, "UTC");
  }
  const preset = PRESETS.find((known) => known.code === code);
  if (preset === undefined || month !== undefined) {
    throw unknownPeriod(name);
  }
  const first = dateOf(name, Number(year), ...preset.begins);
  return namedPeriod(name, first, first.add({ years: 1 }), zone, preset.zone);
}

/**
 * Any range. A date means its first instant in the zone (UTC if none is given); a date-time carries its offset. `to` is exclusive.
 * Throws `usage` on other forms, and when the range is empty.
 */
export function customPeriod(fromText: string, toText: string, zone = "UTC"): Period {
  const id = zoneId(zone);
  const from = parseTime(fromText, id);
  const to = parseTime(toText, id);
  if (from >= to) {
    throw new FillbookError("usage", `the period is empty: it ends (${toText}) no later than it begins (${fromText})`, {
      hint: "--to is exclusive: for the day of 2025-03-01 type --from 2025-03-01 --to 2025-03-02",
    });
  }
  return periodOf(`custom-${boundaryName(from, id)}-${boundaryName(to, id)}${zoneSuffix(id, "UTC")}`, from, to, id);
}

/** ms UTC of a date (its first instant in the zone) or of a date-time that carries its offset. Throws `usage` on other forms. */
export function parseTime(text: string, zone: string): number {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!(isDate || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text))) {
    throw badTime(text);
  }
  checkYear(text, Number(text.slice(0, 4)));
  try {
    return isDate ? startOfDay(Temporal.PlainDate.from(text), zone) : Temporal.Instant.from(text).epochMilliseconds;
  } catch (error) {
    throw badTime(text, error);
  }
}

/** A kind of period that `parsePeriod` knows. */
export interface PeriodListing {
  /** What to type: `us-YYYY`. */
  readonly pattern: string;
  readonly label: string;
  /** Local dates of the example. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly zone: string;
  readonly example: Period;
}

/** What `parsePeriod` knows, each by the example of one year. */
export function listPeriods(year = 2025): readonly PeriodListing[] {
  const years = PRESETS.map(({ code, label }) => listing(`${code}-YYYY`, label, parsePeriod(`${code}-${year}`)));
  return [
    ...years,
    listing("year-YYYY-MM-DD", "Twelve months from any day", parsePeriod(`year-${year}-07-01`)),
    listing("month-YYYY-MM", "Calendar month", parsePeriod(`month-${year}-03`)),
  ];
}

/** Month and day that a country's tax year begins with; undefined: no country has the code. */
export function taxYearBegins(code: string): readonly [number, number] | undefined {
  return PRESETS.find((known) => known.code === code)?.begins;
}

function listing(pattern: string, label: string, example: Period): PeriodListing {
  const { firstDay, lastDay, zone } = example;
  return { pattern, label, firstDay, lastDay, zone, example };
}

/** `2025-04-06T00:00:00.000+01:00`: the instant as the zone's clocks show it. */
export function localTime(ms: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never", fractionalSecondDigits: 3 });
}

/** A calendar month of a period's zone, as far as the period reaches. */
export interface PeriodMonth extends TimeRange {
  /** `2025-04` */
  readonly name: string;
}

/** The months that a period touches, in order: together they are the period. */
export function monthsOf({ from, to, zone }: Pick<Period, "from" | "to" | "zone">): PeriodMonth[] {
  const months: PeriodMonth[] = [];
  let month = Temporal.PlainYearMonth.from(localTime(from, zone).slice(0, 7));
  let start = from;
  while (start < to) {
    const next = month.add({ months: 1 });
    const end = Math.min(to, startOfDay(next.toPlainDate({ day: 1 }), zone));
    // Clocks that are set back over midnight show the old month again for a while.
    if (end > start) {
      months.push({ name: month.toString(), from: start, to: end });
      start = end;
    }
    month = next;
  }
  return months;
}

function namedPeriod(
  name: string,
  first: Temporal.PlainDate,
  next: Temporal.PlainDate,
  zone: string | undefined,
  defaultZone: string,
): Period {
  const id = zoneId(zone ?? defaultZone);
  return periodOf(`${name}${zoneSuffix(id, defaultZone)}`, startOfDay(first, id), startOfDay(next, id), id);
}

function periodOf(name: string, from: number, to: number, zone: string): Period {
  return {
    name,
    from,
    to,
    zone,
    firstDay: localTime(from, zone).slice(0, 10),
    lastDay: localTime(to - 1, zone).slice(0, 10),
  };
}

/** The first instant of a date: not midnight where the clocks skip it. */
function startOfDay(date: Temporal.PlainDate, zone: string): number {
  return date.toZonedDateTime({ timeZone: zone }).startOfDay().epochMilliseconds;
}

/** Packs of one period in other zones are other packs. A key has no `/`, `+` or `:`. */
function zoneSuffix(zone: string, defaultZone: string): string {
  return zone === defaultZone ? "" : `-${zone.replaceAll("/", "_").replaceAll("+", "=").replaceAll(":", ".")}`;
}

function boundaryName(ms: number, zone: string): string {
  const date = localTime(ms, zone).slice(0, 10);
  return startOfDay(Temporal.PlainDate.from(date), zone) === ms ? date : isoTime(ms).replaceAll(/[-:]/g, "");
}

function zoneId(zone: string): string {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch (error) {
    throw new FillbookError("usage", `not a time zone: ${JSON.stringify(zone)}`, {
      hint: "type an IANA name such as Europe/London or UTC",
      cause: error,
    });
  }
}

function dateOf(name: string, year: number, month: number, day: number): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  } catch (error) {
    throw unknownPeriod(name, error);
  }
}

/** The same day of the next year, which 29 February does not have. */
function yearAfter(name: string, first: Temporal.PlainDate): Temporal.PlainDate {
  try {
    return first.add({ years: 1 }, { overflow: "reject" });
  } catch (cause) {
    throw new FillbookError("usage", `${JSON.stringify(name)} begins on a day that the next year does not have`, {
      hint: "say where it ends: give --from and --to in place of --period",
      cause,
    });
  }
}

function checkYear(text: string, year: number): void {
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    throw new FillbookError(
      "usage",
      `${JSON.stringify(text)} is out of range: years go from ${FIRST_YEAR} to ${LAST_YEAR}`,
      {
        hint: HINT,
      },
    );
  }
}

function unknownPeriod(name: string, cause?: unknown): FillbookError {
  return new FillbookError("usage", `not a period: ${JSON.stringify(name)}`, { hint: HINT, cause });
}

function badTime(text: string, cause?: unknown): FillbookError {
  return new FillbookError("usage", `not a time: ${JSON.stringify(text)}`, {
    hint: "type a date (2025-03-01) or a date-time with its offset (2025-03-01T12:00:00Z, 2025-03-01T12:00:00+02:00)",
    cause,
  });
}
