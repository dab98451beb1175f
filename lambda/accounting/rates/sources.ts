import { getOrMake } from "../../core/get-or-make.ts";
import { counted, listed } from "../../core/text.ts";
import { lengthOf, type Span } from "./dates.ts";
import { pairOf } from "./find-in-file.ts";

const MOST_DAYS = 3;
const LONGEST_MONTH = 31;

/** A rate that was found for a day, and where. */
export interface FoundRate {
  readonly from: string;
  readonly to: string;
  readonly day: string;
  readonly file: string;
  readonly label: string;
  readonly span: Span;
  /** Files of other publishers that have rates of the pair and come first, but have none for the day. */
  readonly lacking: readonly string[];
}

/** How two currencies were converted on a day: over which others, from the first in the alphabet. */
export interface FoundWay extends Pick<FoundRate, "from" | "to" | "day"> {
  readonly over: readonly string[];
}

type DaysBy = Map<string, Map<string, Set<string>>>;

/**
 * Remembers which sources gave the rates of a pair of currencies, and over which others it was converted. Its size
 * grows with pairs and days.
 */
export class RateSources {
  /** By pair, then source: days. */
  readonly #sources: DaysBy = new Map();
  /** By pair, then the span of a year's rate: days. */
  readonly #years: DaysBy = new Map();
  /** By pair of currencies that were converted, then way: days. */
  readonly #ways: DaysBy = new Map();
  /** By what is to be said of them: days. */
  readonly #replaced = new Map<string, Set<string>>();

  add({ from, to, day, file, label, span, lacking }: FoundRate): void {
    const pair = nameOf(from, to);
    const source = `${label}, of a ${lengthName(lengthOf(span))}`;
    addDay(this.#sources, [pair, source], day);
    if (lengthOf(span) > LONGEST_MONTH) {
      addDay(this.#years, [pair, `${span.from} to ${span.to}`], day);
    }
    for (const other of lacking) {
      getOrMake(this.#replaced, JSON.stringify([other, pair, file]), () => new Set<string>()).add(day);
    }
  }

  addWay({ from, to, day, over }: FoundWay): void {
    addDay(this.#ways, [nameOf(from, to), over.length === 0 ? "directly" : `over ${over.join(" and ")}`], day);
  }

  /** Sentences without their full stops: days that a source lacks, and mixed sources and ways. */
  get notes(): readonly string[] {
    const replaced = [...this.#replaced].map(([key, days]) => {
      const [other, pair, file] = JSON.parse(key);
      return `${other} has no rate between ${pair} on ${listed([...days].sort(), MOST_DAYS)}, so that of ${file} is used`;
    });
    const mixed = mixedIn(this.#sources, (pair) => `rates between ${pair} are of more than one source`);
    const years = mixedIn(overlapping(this.#years), (pair) => `rates between ${pair} are of years that overlap`);
    const ways = mixedIn(this.#ways, (pair) => `amounts are converted between ${pair} in more than one way`);
    return [...replaced.sort(), ...mixed, ...years, ...ways];
  }
}

/** `GBP and USD` */
function nameOf(from: string, to: string): string {
  return pairOf(from, to).replace("\n", " and ");
}

function addDay(days: DaysBy, [pair, name]: readonly [string, string], day: string): void {
  const own = getOrMake(days, pair, () => new Map<string, Set<string>>());
  getOrMake(own, name, () => new Set()).add(day);
}

function mixedIn(all: DaysBy, what: (pair: string) => string): string[] {
  return [...all]
    .filter(([, names]) => names.size > 1)
    .map(([pair, names]) => {
      const each = [...names].map(([name, days]) => `${name} (${counted(days.size, "day")})`);
      return `${what(pair)}: ${each.sort().join("; ")}`;
    })
    .sort();
}

/** The pairs of which one year, `2025-01-01 to 2025-12-31`, begins before another one ends. */
function overlapping(years: DaysBy): DaysBy {
  const isMixed = (spans: readonly string[]) =>
    spans.some((span, at) => span.slice(0, 10) <= (spans[at - 1]?.slice(-10) ?? ""));
  return new Map([...years].filter(([, spans]) => isMixed([...spans.keys()].sort())));
}

function lengthName(days: number): string {
  if (days === 1) {
    return "day";
  }
  return days <= LONGEST_MONTH ? "month" : "year";
}
