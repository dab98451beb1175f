import type { TimeRange } from "../model/time.ts";

/**
 * A service may answer less of a wide range than was asked, and not say so: the newest or the oldest stretch of it (a clamp). What a finished
 * chain proves is derived here from its own rows, under the assumption that a clamp has one width and keeps one end of the asked range.
 *
 * With [A, B] asked and rows from a to b: a clamp that keeps the end is at least B − a wide, one that keeps the beginning at least b − A; so every
 * clamp is at least q = min(b − A, B − a) wide, and a range no wider than the widest q ever seen cannot be clamped.
 */
export interface ChainSpan {
  /** What was asked, inclusive, ms of `txCreated`. */
  readonly askFrom: number;
  readonly askTo: number;
  /** Ends of the rows that came; null when none came. */
  readonly lowest: number | null;
  readonly highest: number | null;
}

/** Width, ms, below which the answer shows that no range is clamped. 0 when it shows nothing. */
export function provenWidth({ askFrom, askTo, lowest, highest }: ChainSpan): number {
  return lowest === null || highest === null ? 0 : Math.max(0, Math.min(highest - askFrom, askTo - lowest));
}

/**
 * The part of `window` that a chain which ended covers, given the widest proven width; null when it is none of it. A clamp of width C ≥ proven that
 * kept the end answered at least [min(lowest, B − proven), B], one that kept the beginning at least [A, max(highest, A + proven)]: what both hold is covered.
 */
export function coveredBy(window: TimeRange, span: ChainSpan, provenMs: number): TimeRange | null {
  const { askFrom, askTo } = span;
  if (askTo - askFrom <= provenMs) {
    return { from: window.from, to: window.to };
  }
  const from = Math.max(window.from, Math.min(span.lowest ?? askTo, askTo - provenMs));
  const to = Math.min(window.to, Math.max((span.highest ?? askFrom) + 1, askFrom + provenMs));
  return from < to ? { from, to } : null;
}
