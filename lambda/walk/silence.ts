import { isWithin, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";

/** So often silence has to be asked for before it is believed: an answer may be empty by mistake. */
const ASKINGS = 4;
/** Once such a mistake was seen. */
const ASKINGS_WHERE_FALSE = 8;

export function askingsNeeded(falseEnds: boolean): number {
  return falseEnds ? ASKINGS_WHERE_FALSE : ASKINGS;
}

/** A stretch in which an answer that came to its end had no rows. */
interface Silent {
  readonly range: TimeRange;
  /** ms, of what was asked when it was silent */
  readonly askedMs: number;
}

/** What a run has found silent so far, as a value. */
export interface Silence {
  readonly heard: readonly Silent[];
  /** So often it has to be asked for. */
  readonly needed: number;
  /** How often a row came where there was silence, or none where one is known. */
  readonly breaks: number;
}

export function noSilence(falseEnds: boolean): Silence {
  return { heard: [], needed: askingsNeeded(falseEnds), breaks: 0 };
}

/** How far the run has come in hearing silence: asking for a range more often than is needed is no progress. */
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
 * Whether an empty answer for the range, asked for with `askedMs`, is believed now, itself counted: half of the askings have to be no wider. A clamp may have
 * left wider ones empty, whatever there is: they do not show that this one is not empty by mistake.
 */
export function isBelieved({ heard, needed }: Silence, range: TimeRange, askedMs: number): boolean {
  const silent = heard.filter((one) => one.range.from <= range.from && range.to <= one.range.to);
  const asNarrow = silent.filter((one) => one.askedMs <= askedMs);
  return 1 + silent.length >= needed && 1 + asNarrow.length >= needed / 2;
}

/** What was found silent in half of the askings: the others are narrow ones. */
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
 * What rows at these times say of the silence before: `clamped` where it was asked for with more than `safeMs`, so that a clamp can have hidden them; `false`
 * where nothing but a mistake can.
 */
export function brokenBy({ heard }: Silence, times: readonly number[], safeMs: number): "clamped" | "false" | null {
  const broken = heard.filter(({ range }) => times.some((time) => isWithin(range, time)));
  if (broken.length === 0) {
    return null;
  }
  return broken.some(({ askedMs }) => askedMs <= safeMs) ? "false" : "clamped";
}

/** After the first mistake of its kind: nothing that was heard before it counts. */
export function afterBreak({ needed, breaks }: Silence, how: "clamped" | "false"): Silence {
  return { heard: [], needed: how === "false" ? askingsNeeded(true) : needed, breaks: breaks + 1 };
}

/** After a later one, which shows nothing but that these times were not silent. */
export function withoutTimes({ heard, needed, breaks }: Silence, times: readonly number[]): Silence {
  const kept = heard.filter(({ range }) => !times.some((time) => isWithin(range, time)));
  return { heard: kept, needed, breaks: breaks + 1 };
}
