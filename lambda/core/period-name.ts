import { Temporal } from "temporal-polyfill";
import { FillbookError } from "./errors.ts";
import { lastDayInstead } from "./suggest.ts";
import { isSplit, TAX_YEARS, type TaxYear } from "./tax-years.ts";

/** The days that a typed name means, in whatever zone. */
export interface NamedDays {
  /** The one name of these days: `au-2024-25`, also of what was typed as `au-2025`. */
  readonly name: string;
  readonly firstDay: Temporal.PlainDate;
  /** The first day that is not in it any more. */
  readonly nextDay: Temporal.PlainDate;
  /** The default. */
  readonly zone: string;
}

/** What the name of a pack's period says of its time, `[from, to)`: local dates, or instants, as ISO 8601 texts of UTC. They sort as text. */
export interface NamedTime {
  readonly from: string;
  readonly to: string;
  /** What is typed for it, beside its zone; null: dates are. */
  readonly typed: string | null;
}

/** What a single year means of a tax year that lies in two: the one that it ends in, or, in names of older packs, the one that it begins in. */
type SingleYear = "end" | "beginning";

const FIRST_YEAR = 1970;
const LAST_YEAR = 2200;
const HINT =
  "type a country and a year (us-2025, uk-2024-25), calendar-2025, year-2025-07-01 or month-2025-03; `fillbook periods` lists them all; or give --from and --to";

/** Throws `usage` for what is no name of a period. */
export function readTypedName(typed: string): NamedDays {
  return daysOf(typed, "end");
}

/** The one name of what is typed; null: it is no name of a period. */
export function nameOfTyped(typed: string): string | null {
  return daysOrNull(typed, "end")?.name ?? null;
}

/** Of a pack's folder. Null: the name says nothing of its time. To be sorted and found by; of the time itself the pack's completeness.json tells. */
export function readPackName(name: string): NamedTime | null {
  const custom = CUSTOM.exec(name)?.groups;
  if (custom !== undefined) {
    return { from: isoOf(custom["from"] ?? ""), to: isoOf(custom["to"] ?? ""), typed: null };
  }
  const days = daysOrNull(NAMED.exec(name)?.groups?.["typed"] ?? "", "beginning");
  return days && { from: days.firstDay.toString(), to: days.nextDay.toString(), typed: days.name };
}

/** How packs of the same days are named now; null: as this one. */
export function newerName(packName: string): string | null {
  const typed = readPackName(packName)?.typed ?? null;
  const older = NAMED.exec(packName)?.groups?.["typed"] ?? "";
  return typed === null || typed === older ? null : typed + packName.slice(older.length);
}

/** Of any range: `from` and `to` are dates, or instants as ISO 8601 texts of UTC. */
export function customName(from: string, to: string): string {
  return `custom-${boundaryName(from)}-${boundaryName(to)}`;
}

/** Packs of one period in other zones are other packs. A key has no `/`, `+` or `:`. */
export function zoneSuffix(zone: string, defaultZone: string): string {
  return zone === defaultZone ? "" : `-${zone.replaceAll("/", "_").replaceAll("+", "=").replaceAll(":", ".")}`;
}

/** Throws `usage`. */
export function checkYear(text: string, year: number): void {
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    throw new FillbookError(
      "usage",
      `${JSON.stringify(text)} is out of range: years go from ${FIRST_YEAR} to ${LAST_YEAR}`,
      { hint: HINT },
    );
  }
}

const INSTANT = String.raw`\d{8}T\d{6}\.\d{3}Z`;
const CUSTOM = new RegExp(
  String.raw`^custom-(?<from>\d{4}-\d{2}-\d{2}|${INSTANT})-(?<to>\d{4}-\d{2}-\d{2}|${INSTANT})(?:-|$)`,
);
/** A zone that is not the name's own follows; none begins with a digit. */
const NAMED = /^(?<typed>[a-z]+-\d{4}(?:-\d{2}){0,2})(?:-\D|$)/;
const TYPED = /^(?<code>[a-z]+)-(?<year>\d{4})(?:-(?<second>\d{2})(?:-(?<third>\d{2}))?)?$/;
/** Two years in another form than `2024-25`: `2024-2025`, `2024/25`. */
const TWO_YEARS = /^(?<code>[a-z]+)-(?<year>\d{4})(?:-|\/)(?:\d{2}|\d{4})$/;

function daysOrNull(typed: string, single: SingleYear): NamedDays | null {
  try {
    return daysOf(typed, single);
  } catch (error) {
    if (error instanceof FillbookError) {
      return null;
    }
    throw error;
  }
}

function daysOf(typed: string, single: SingleYear): NamedDays {
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
    return { name: typed, firstDay, nextDay: firstDay.add({ months: 1 }), zone: "UTC" };
  }
  const known = TAX_YEARS.find((one) => one.code === code);
  if (known === undefined || third !== undefined) {
    throw unknownPeriod(typed);
  }
  if (second === undefined) {
    return taxYear(typed, known, isSplit(known) && single === "end" ? year - 1 : year);
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
  return { name: `${known.code}-${years}`, firstDay, nextDay: firstDay.add({ years: 1 }), zone: known.zone };
}

function twoDigits(year: number): string {
  return String(year % 100).padStart(2, "0");
}

function dateOf(typed: string, year: number, month: number, day: number): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  } catch (error) {
    throw unknownPeriod(typed, error);
  }
}

/** The same day of the next year, which 29 February does not have. */
function yearAfter(typed: string, first: Temporal.PlainDate): Temporal.PlainDate {
  try {
    return first.add({ years: 1 }, { overflow: "reject" });
  } catch (cause) {
    throw new FillbookError("usage", `${JSON.stringify(typed)} begins on a day that the next year does not have`, {
      hint: "say where it ends: give --from and --to in place of --period",
      cause,
    });
  }
}

function unknownPeriod(typed: string, cause?: unknown): FillbookError {
  return new FillbookError("usage", `not a period: ${JSON.stringify(typed)}`, { hint: hintFor(typed), cause });
}

/** Of two years that do not name a tax year: the one that begins in the first; else the name that was probably meant. */
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

/** The name that differs by case, by a sign between its pieces, or by a day that its month does not have; null: none. */
function meantBy(typed: string): string | null {
  const pieces =
    /^([a-z]*)[-_ ./]?(\d{4})(?:[-_ ./]?(\d\d))?(?:[-_ ./]?(\d\d))?$/.exec(typed.trim().toLowerCase()) ?? [];
  const [, word = "", year, second, third] = pieces;
  const days = [year, second, third].filter((piece) => piece !== undefined).join("-");
  const code = third === undefined ? (CALLED.get(word) ?? word) : word;
  const kind = second === undefined ? "calendar" : "month";
  const name = `${code === "" ? kind : code}-${lastDayInstead(days) ?? days}`;
  return name !== typed && daysOrNull(name, "end") !== null ? name : null;
}

/** A date as it is, an instant as `20250301T123000.000Z`: a key has no `:`. */
function boundaryName(iso: string): string {
  return iso.includes("T") ? iso.replaceAll(/[-:]/g, "") : iso;
}

/** The opposite. */
function isoOf(boundary: string): string {
  return boundary.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})/, "$1-$2-$3T$4:$5:");
}
