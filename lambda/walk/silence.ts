import { isWithin, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";

/** How often a range must be silent before we believe it: an answer may be empty by mistake. */
const ASKINGS = 4;
/** The same, after the service made such a mistake. */
const ASKINGS_WHERE_FALSE = 8;

export function askingsNeeded(falseEnds: boolean): number {
  return falseEnds ? ASKINGS_WHERE_FALSE : ASKINGS;
}

/** A range in which a finished answer had no rows. */
interface Silent {
  readonly range: TimeRange;
  /** The width of the request that found it silent, ms. */
  readonly askedMs: number;
}

/** The silence that a run has found so far. A value. */
export interface Silence {
  readonly heard: readonly Silent[];
  /** How often a range must be asked for. */
  readonly needed: number;
  /** How often a row came where there was silence, or did not come where one is known. */
  readonly breaks: number;
}

export function noSilence(falseEnds: boolean): Silence {
  return { heard: [], needed: askingsNeeded(falseEnds), breaks: 0 };
}

/** A measure of progress in asking for silence. Asking for a range more often than needed is no progress. */
export function askingsThatCount({ heard, needed }: Silence): number {
  const times = new Map<string, number>();
  for (const { range } of heard) {
    const name = `${range.from}-${range.to}`;
    times.set(name, Math.min((times.get(name) ?? 0) + 1, needed));
  }
  return [...times.values()].reduce((sum, count) => sum + count, 0);
}

export function silentIn(silence: Silence, range: TimeRange, asked: TimeRange): Silence {
  return range.from < range.to
    ? { ...silence, heard: [...silence.heard, { range, askedMs: asked.to - asked.from }] }
    : silence;
}

/**
 * Whether an empty answer for the range counts now, itself included. At least half of the requests must be no
 * wider than `askedMs`: a clamp may leave wider requests empty, so they do not show that this answer is not
 * empty by mistake.
 */
export function isBelieved({ heard, needed }: Silence, range: TimeRange, askedMs: number): boolean {
  const silent = heard.filter((one) => one.range.from <= range.from && range.to <= one.range.to);
  const asNarrow = silent.filter((one) => one.askedMs <= askedMs);
  return 1 + silent.length >= needed && 1 + asNarrow.length >= needed / 2;
}

/** Ranges that were silent in half of the requests needed. The other half are narrow requests. */
export function halfBelieved({ heard, needed }: Silence): readonly TimeRange[] {
  const enough = needed / 2;
  const ends = heard.flatMap(({ range: { from, to } }) => [
    { at: from, step: 1 },
    { at: to, step: -1 },
  ]);
  const silent: TimeRange[] = [];
  let times = 0;
  let begun = 0;
  for (const { at, step } of ends.sort((a, b) => a.at - b.at)) {
    const before = times;
    times += step;
    if (before < enough && times === enough) {
      begun = at;
    } else if (before === enough && times < enough) {
      silent.push({ from: begun, to: at });
    }
  }
  return union(silent);
}

/**
 * What rows at these times say about earlier silence. `clamped`: it was asked for in more than `safeMs`, so a
 * clamp may have hidden the rows. `false`: only a mistake explains it.
 */
export function brokenBy({ heard }: Silence, times: readonly number[], safeMs: number): "clamped" | "false" | null {
  const broken = heard.filter(({ range }) => times.some((time) => isWithin(range, time)));
  if (broken.length === 0) {
    return null;
  }
  return broken.some(({ askedMs }) => askedMs <= safeMs) ? "false" : "clamped";
}

/** The state after the first break of its kind: no earlier silence counts. */
export function afterBreak({ needed, breaks }: Silence, how: "clamped" | "false"): Silence {
  return { heard: [], needed: how === "false" ? askingsNeeded(true) : needed, breaks: breaks + 1 };
}

/** The state after a later break, which shows only that these times were not silent. */
export function withoutTimes({ heard, needed, breaks }: Silence, times: readonly number[]): Silence {
  const kept = heard.filter(({ range }) => !times.some((time) => isWithin(range, time)));
  return { heard: kept, needed, breaks: breaks + 1 };
}
