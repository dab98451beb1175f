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

/** Remembers which sources gave the rates of a pair of currencies. Its size grows with pairs and days. */
export class RateSources {
  /** By pair, then source: days. */
  readonly #sources = new Map<string, Map<string, Set<string>>>();
  /** By what is to be said of them: days. */
  readonly #replaced = new Map<string, Set<string>>();

  add({ from, to, day, file, label, span, lacking }: FoundRate): void {
    const pair = pairOf(from, to).replace("\n", " and ");
    const source = `${label}, of a ${lengthName(lengthOf(span))}`;
    getOrMake(
      getOrMake(this.#sources, pair, () => new Map<string, Set<string>>()),
      source,
      () => new Set(),
    ).add(day);
    for (const other of lacking) {
      getOrMake(this.#replaced, JSON.stringify([other, pair, file]), () => new Set<string>()).add(day);
    }
  }

  /** Sentences without their full stops: days that a source lacks, and mixed sources. */
  get notes(): readonly string[] {
    const replaced = [...this.#replaced].map(([key, days]) => {
      const [other, pair, file] = JSON.parse(key);
      return `${other} has no rate between ${pair} on ${listed([...days].sort(), MOST_DAYS)}, so that of ${file} is used`;
    });
    const mixed = [...this.#sources]
      .filter(([, sources]) => sources.size > 1)
      .map(([pair, sources]) => {
        const all = [...sources].map(([source, days]) => `${source} (${counted(days.size, "day")})`);
        return `rates between ${pair} are of more than one source: ${all.sort().join("; ")}`;
      });
    return [...replaced.sort(), ...mixed.sort()];
  }
}

function lengthName(days: number): string {
  if (days === 1) {
    return "day";
  }
  return days <= LONGEST_MONTH ? "month" : "year";
}
