import { nameOfTyped, readPackName } from "../../core/period-name.ts";
import { compareText } from "../../core/text.ts";

/**
 * Sorts by end, newest first; then the longest period first; then by name. Names that state no time come
 * last.
 */
export function newestFirst<Named extends { readonly name: string }>(periods: readonly Named[]): Named[] {
  const times = periods.map((period) => ({ period, time: readPackName(period.name) ?? { from: "", to: "" } }));
  return times
    .sort(
      (a, b) =>
        compareText(b.time.to, a.time.to) ||
        compareText(a.time.from, b.time.from) ||
        compareText(a.period.name, b.period.name),
    )
    .map(({ period }) => period);
}

/**
 * The periods whose name contains every word of the text; a word must match at the beginning of a part of the
 * name. A word that is a year also finds the periods that overlap that year. A word that could be typed for a
 * period (`au-2025`) also finds that period (`au-2024-25`).
 */
export function withWords<Named extends { readonly name: string }>(periods: readonly Named[], text: string): Named[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  return periods.filter(({ name }) =>
    words.every((word) => isNamed(name, word) || isTypedAs(name, word) || isOfYear(name, word)),
  );
}

function isNamed(name: string, word: string): boolean {
  const lower = name.toLowerCase();
  return [...lower.matchAll(/[a-z0-9]+/g)].some(({ index }) => lower.startsWith(word, index));
}

function isTypedAs(name: string, word: string): boolean {
  const typed = nameOfTyped(word);
  return typed !== null && readPackName(name)?.typed === typed;
}

function isOfYear(name: string, word: string): boolean {
  if (!/^\d{4}$/.test(word)) {
    return false;
  }
  const time = readPackName(name);
  return time !== null && time.from < `${Number(word) + 1}-01-01` && time.to > `${word}-01-01`;
}
