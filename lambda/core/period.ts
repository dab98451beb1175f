import { Temporal } from "temporal-polyfill";
import { type FillbookError, usageError } from "./errors.ts";
import { checkYear, customName, readTypedName, zoneSuffix } from "./period-name.ts";
import { typedFlag } from "./text.ts";
import { isoTime, type TimeRange } from "./time.ts";

/** The time of a pack: `[from, to)` in ms UTC, and its days on the zone's clocks. */
export interface Period extends TimeRange {
  /** The name of the pack's folder: letters, digits, `.`, `_`, `=`, `-`. */
  readonly name: string;
  /** IANA */
  readonly zone: string;
  /** Local dates, `2025-04-06`. The last day is the one of the last millisecond. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/**
 * Reads `us-2025`, `uk-2024-25`, …, `calendar-2025`, `month-2025-03`, or `year-2025-07-01` for twelve months
 * from any day. The default zone is the country's. A single year of a tax year that lies in two is the year
 * in which it ends: `uk-2025` is `uk-2024-25`. Throws `usage` on any other name.
 */
export function parsePeriod(typed: string, zone?: string): Period {
  const { name, firstDay, nextDay, zone: defaultZone } = readTypedName(typed);
  const id = zoneId(zone ?? defaultZone);
  return periodOf(`${name}${zoneSuffix(id, defaultZone)}`, startOfDay(firstDay, id), startOfDay(nextDay, id), id);
}

/**
 * A period of any range. A date means its first instant in the zone. A date-time carries its offset. `to` is
 * exclusive. Throws `usage` on other forms and on an empty range.
 */
export function customPeriod(fromText: string, toText: string, zone = "UTC"): Period {
  const id = zoneId(zone);
  const from = parseTime(fromText, id);
  const to = parseTime(toText, id);
  if (from >= to) {
    const hint = "--to is not included: for the day 2025-03-01, type --from 2025-03-01 --to 2025-03-02";
    throw usageError(`the period is empty: its end (${toText}) is not after its start (${fromText})`, hint);
  }
  const name = customName(boundary(from, id), boundary(to, id));
  return periodOf(`${name}${zoneSuffix(id, "UTC")}`, from, to, id);
}

/**
 * ms UTC of a date (its first instant in the zone) or of a date-time with its offset. Throws `usage` on other
 * forms.
 */
export function parseTime(text: string, zone: string): number {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!(isDate || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::[0-5]\d(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text))) {
    throw badTime(text);
  }
  checkYear(text, Number(text.slice(0, 4)));
  try {
    return isDate ? startOfDay(text, zone) : Temporal.Instant.from(text).epochMilliseconds;
  } catch (error) {
    throw badTime(text, error);
  }
}

/** The instant on the zone's clocks: `2025-04-06T00:00:00.000+01:00`. */
export function localTime(ms: number, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never", fractionalSecondDigits: 3 });
}

/** The part of a calendar month, in the period's zone, that lies in the period. */
export interface PeriodMonth extends TimeRange {
  /** `2025-04` */
  readonly name: string;
}

/** The months that a period touches, in order. Together they are the period. */
export function monthsOf({ from, to, zone }: Pick<Period, "from" | "to" | "zone">): PeriodMonth[] {
  const months: PeriodMonth[] = [];
  let month = Temporal.PlainYearMonth.from(localTime(from, zone).slice(0, 7));
  let start = from;
  while (start < to) {
    const next = month.add({ months: 1 });
    const end = Math.min(to, startOfDay(`${next}-01`, zone));
    // Clocks that go back over midnight show the old month again for a while.
    if (end > start) {
      months.push({ name: month.toString(), from: start, to: end });
      start = end;
    }
    month = next;
  }
  return months;
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

/** The first instant of a date. It is not midnight if the clocks skip midnight. */
function startOfDay(date: string, zone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone }).startOfDay().epochMilliseconds;
}

/** The local date if a day begins at this instant, else the instant. */
function boundary(ms: number, zone: string): string {
  const date = localTime(ms, zone).slice(0, 10);
  return startOfDay(date, zone) === ms ? date : isoTime(ms);
}

/**
 * The flags of `export` for the part of the period before the local day of `ms`. Null: there is none.
 */
export function flagsUntil({ from, zone }: Pick<Period, "from" | "zone">, ms: number): string | null {
  const today = localTime(ms, zone).slice(0, 10);
  return startOfDay(today, zone) > from
    ? `--from ${boundary(from, zone)} --to ${today} ${typedFlag("zone", zone)}`
    : null;
}

/** An IANA name, or an offset of whole quarter hours. No clock in the world has another offset. */
const ZONE = /^(?:[A-Za-z][A-Za-z0-9_+/-]*|[+-]\d{2}:(?:00|15|30|45))$/;

function zoneId(zone: string): string {
  try {
    if (!ZONE.test(zone)) {
      throw new RangeError("neither a name nor an offset of quarter hours");
    }
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
  } catch (error) {
    const hint = "type an IANA name such as Europe/London or UTC";
    throw usageError(`not a time zone: ${JSON.stringify(zone)}`, hint, error);
  }
}

function badTime(text: string, cause?: unknown): FillbookError {
  const forms =
    "type a date (2025-03-01) or a date-time with its offset (2025-03-01T12:00:00Z, 2025-03-01T12:00:00+02:00)";
  return usageError(`not a time: ${JSON.stringify(text)}`, forms, cause);
}

/**
 * A time for people, as the zone's clocks show it: `2025-01-01 00:00 (America/New_York)`. Seconds and
 * milliseconds are shown unless they are zero.
 */
export function clockText(ms: number, zone: string): string {
  const [date, time = ""] = localTime(ms, zone).slice(0, 23).split("T");
  return `${date} ${time.replace(/(?::00)?\.000$/, "")} (${zone})`;
}
