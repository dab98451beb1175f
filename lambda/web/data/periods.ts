import { taxYearBegins } from "../../core/period.ts";
import { compareText } from "../../core/text.ts";

/** What a period's name says of its time, `[from, to)`: local dates, or instants, as ISO 8601 texts of UTC. They sort as text. */
export interface NamedTime {
  readonly from: string;
  readonly to: string;
}

/** Null: the name says nothing of its time. To be sorted and found by; of the time itself a pack's completeness.json tells. */
export function timeOfName(name: string): NamedTime | null {
  const custom = CUSTOM.exec(name)?.groups;
  if (custom !== undefined) {
    return { from: timeOf(custom["from"] ?? ""), to: timeOf(custom["to"] ?? "") };
  }
  const { code = "", year = "", month, day } = NAMED.exec(name)?.groups ?? {};
  const next = String(Number(year) + 1).padStart(4, "0");
  if (code === "month") {
    return month === undefined || day !== undefined ? null : monthTime(year, month, next);
  }
  if (code === "year") {
    return day === undefined ? null : { from: `${year}-${month}-${day}`, to: `${next}-${month}-${day}` };
  }
  const begins = taxYearBegins(code);
  if (begins === undefined || month !== undefined) {
    return null;
  }
  const firstDay = begins.map((number) => `-${String(number).padStart(2, "0")}`).join("");
  return { from: year + firstDay, to: next + firstDay };
}

const INSTANT = String.raw`\d{8}T\d{6}\.\d{3}Z`;
const CUSTOM = new RegExp(
  String.raw`^custom-(?<from>\d{4}-\d{2}-\d{2}|${INSTANT})-(?<to>\d{4}-\d{2}-\d{2}|${INSTANT})(?:-|$)`,
);
/** A zone that is not the name's own follows; none begins with a digit. */
const NAMED = /^(?<code>[a-z]+)-(?<year>\d{4})(?:-(?<month>\d{2})(?:-(?<day>\d{2}))?)?(?:-\D|$)/;

function monthTime(year: string, month: string, nextYear: string): NamedTime {
  const to = month === "12" ? `${nextYear}-01` : `${year}-${String(Number(month) + 1).padStart(2, "0")}`;
  return { from: `${year}-${month}-01`, to: `${to}-01` };
}

/** Of a date as it is; of `20250301T123000.000Z` as ISO 8601 has it. */
function timeOf(text: string): string {
  return text.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})/, "$1-$2-$3T$4:$5:");
}

/** By when they end, newest first; of those that end together, the longest first; then by name. Names that say no time come last. */
export function newestFirst<Named extends { readonly name: string }>(periods: readonly Named[]): Named[] {
  const times = periods.map((period) => ({ period, time: timeOfName(period.name) ?? { from: "", to: "" } }));
  return times
    .sort(
      (a, b) =>
        compareText(b.time.to, a.time.to) ||
        compareText(a.time.from, b.time.from) ||
        compareText(a.period.name, b.period.name),
    )
    .map(({ period }) => period);
}

/** Those that have every word of the text in their name, as the beginning of a part of it; a word that is a year finds those too that lie in it in part. */
export function withWords<Named extends { readonly name: string }>(periods: readonly Named[], text: string): Named[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return periods.filter(({ name }) => words.every((word) => isNamed(name, word) || isOfYear(name, word)));
}

function isNamed(name: string, word: string): boolean {
  const lower = name.toLowerCase();
  return [...lower.matchAll(/[a-z0-9]+/g)].some(({ index }) => lower.startsWith(word, index));
}

function isOfYear(name: string, word: string): boolean {
  if (!/^\d{4}$/.test(word)) {
    return false;
  }
  const time = timeOfName(name);
  return time !== null && time.from < `${Number(word) + 1}-01-01` && time.to > `${word}-01-01`;
}
