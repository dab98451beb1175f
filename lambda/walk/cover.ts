import type { Proven } from "../archive/manifest.ts";
import type { TimeRange } from "../model/time.ts";

/**
 * A service may answer less of a wide range than was asked, and not say so: the newest or the oldest stretch of it (a clamp). What a finished
 * chain proves is derived here from its own rows, under the assumption that a clamp has one width and always keeps the same end of the asked range.
 *
 * With [A, B] asked and rows from a to b: a clamp that keeps the end is at least B − a wide, one that keeps the beginning at least b − A. A range no
 * wider than both of the widest ever seen cannot be clamped.
 */
export interface ChainSpan {
  /** What was asked, inclusive, ms of `txCreated`. */
  readonly askFrom: number;
  readonly askTo: number;
  /** Ends of the rows that came; null when none came. */
  readonly lowest: number | null;
  readonly highest: number | null;
}

export const NOTHING_PROVEN: Proven = { keepingEnd: 0, keepingBeginning: 0 };

/** What the rows that came show, of a chain that has ended or not. */
export function provenBy({ askFrom, askTo, lowest, highest }: ChainSpan): Proven {
  return lowest === null || highest === null
    ? NOTHING_PROVEN
    : { keepingEnd: Math.max(0, askTo - lowest), keepingBeginning: Math.max(0, highest - askFrom) };
}

export function widestOf(a: Proven, b: Proven): Proven {
  return {
    keepingEnd: Math.max(a.keepingEnd, b.keepingEnd),
    keepingBeginning: Math.max(a.keepingBeginning, b.keepingBeginning),
  };
}

/** Width, ms, of what no clamp can cut. 0: nothing is known. */
export function provenWidth({ keepingEnd, keepingBeginning }: Proven): number {
  return Math.min(keepingEnd, keepingBeginning);
}

/**
 * The part of `window` that a chain which ended covers; null when it is none of it. A clamp that kept the end answered at least the rows that came up to it and
 * `keepingEnd` of what was asked, one that kept the beginning at least the rows that came down to it and `keepingBeginning`: what both hold is covered.
 */
export function coveredBy(
  window: TimeRange,
  { askFrom, askTo, lowest, highest }: ChainSpan,
  proven: Proven,
): TimeRange | null {
  const answeredFrom =
    askTo - askFrom <= proven.keepingEnd ? askFrom : Math.min(lowest ?? askTo, askTo - proven.keepingEnd);
  const answeredTo =
    askTo - askFrom <= proven.keepingBeginning
      ? askTo
      : Math.max((highest ?? askFrom) + 1, askFrom + proven.keepingBeginning);
  const from = Math.max(window.from, answeredFrom);
  const to = Math.min(window.to, answeredTo);
  return from < to ? { from, to } : null;
}
