import type { Checkpoint, Direction, OpenWindow, Proven, WindowRecord } from "../archive/manifest.ts";
import { subtract, union } from "../model/ranges.ts";
import { DAY_MS, MINUTE_MS, type TimeRange } from "../model/time.ts";
import { provenWidth } from "./cover.ts";

/**
 * Which windows to walk next, by time alone: a pure function of what the archive lacks and what it knows near there. The frontier goes from the upper end back in
 * time, in windows that are correct under any order of the rows.
 */

/** Narrowest clamp that is thinkable: no service known to us answers less than a day of what is asked. */
export const CLAMP_FLOOR_MS = DAY_MS;
/** A window asks 1 ms wider on both sides, so that inclusive and exclusive bounds give the same rows. */
export const MARGIN_MS = 1;
const TARGET_ROWS = 32 * 100; // of one window: 32 full pages
const GROWTH = 4;
const SHRINK = 16;
/** Records near a gap that say how dense its fills may be. */
export const NEIGHBOURS = 8;

export interface GapInput {
  readonly range: TimeRange;
  readonly coverage: readonly TimeRange[];
  /** Windows that failed in this run: not asked again before the next one. */
  readonly failed: readonly TimeRange[];
  /** What is to be walked although it is covered. */
  readonly again: readonly TimeRange[];
}

/** What the archive knows about the upper end of the uppermost gap. */
export interface Known {
  /** The NEIGHBOURS records nearest to it. */
  readonly near: readonly WindowRecord[];
  /** The oldest known fill above it with nothing unknown between, `txCreated`, ms; null: none. */
  readonly anchor: number | null;
}

export interface PlanInput {
  /** As of `gapsOf`. */
  readonly gaps: readonly TimeRange[];
  readonly known: Known;
  readonly checkpoint: Pick<Checkpoint, "proven" | "barrenAbove" | "datesTrusted">;
  /** Windows side by side. */
  readonly workers: number;
}

/** What is still to be walked, in time order. */
export function gapsOf({ range, coverage, failed, again }: GapInput): TimeRange[] {
  const without = union(failed);
  const lacking = subtract(range, union([...coverage, ...failed]));
  return union([...lacking, ...again.flatMap((one) => subtract(one, without))]);
}

/** Widest window, ms, whose answer cannot be clamped. */
export function safeWidth(proven: Proven): number {
  return Math.max(provenWidth(proven), CLAMP_FLOOR_MS) - 2 * MARGIN_MS;
}

/** The next windows, newest first, to be walked side by side; none when nothing is left. */
export function planRound({ gaps, known, checkpoint, workers }: PlanInput): OpenWindow[] {
  const [lowest] = gaps;
  const top = gaps.at(-1);
  if (lowest === undefined || top === undefined) {
    return [];
  }
  if (!checkpoint.datesTrusted) {
    return [undatedWindow({ from: lowest.from, to: top.to })];
  }
  const { wanted, isGrowing } = wantedWidth(known.near);
  const safe = safeWidth(checkpoint.proven);
  const { anchor } = known;
  const isWide = Math.min(wanted, top.to - top.from) > safe;
  if (isWide && anchor !== null && anchor !== checkpoint.barrenAbove) {
    const from = Math.max(top.from, top.to - Math.min(wanted, GROWTH * safe));
    return [freshWindow({ from, to: top.to }, anchor)];
  }
  // A fill was seen and none is held above: one window may reach it, and with it the next can be wider.
  const isNearAnchor = wanted > safe && anchor === null && provenWidth(checkpoint.proven) > 0;
  const isStep = isNearAnchor || (wanted < safe && isGrowing);
  return cutBack(gaps, Math.min(wanted, safe), isStep ? 1 : workers);
}

export function freshWindow({ from, to }: TimeRange, askTo = to): OpenWindow {
  return {
    from,
    to,
    dated: true,
    askFrom: from,
    askTo,
    cut: null,
    cursor: null,
    cursorAt: null,
    pages: 0,
    duplicates: 0,
    pagesHash: "0".repeat(64),
    lowest: null,
    highest: null,
    evidence: [],
  };
}

export function undatedWindow(range: TimeRange): OpenWindow {
  return { ...freshWindow(range), dated: false };
}

/**
 * What the proven order makes of a chain that does not go on: the part that it has read, and a window for the rest, which begins with the millisecond
 * of its last row. Null where that is no progress.
 */
export function atEdge(window: OpenWindow, direction: Direction): { read: OpenWindow; rest: OpenWindow } | null {
  const { from, to, lowest, highest } = window;
  if (lowest === null || highest === null) {
    return null;
  }
  const edge = direction === "descending" ? lowest + 1 : highest;
  if (edge <= from || edge >= to) {
    return null;
  }
  return direction === "descending"
    ? { read: { ...window, from: edge, cut: "from" }, rest: freshWindow({ from, to: edge }) }
    : { read: { ...window, to: edge, cut: "to" }, rest: freshWindow({ from: edge, to }) };
}

/** Cuts the gaps into windows from the newest time back, at most `count` of them. */
function cutBack(gaps: readonly TimeRange[], widthMs: number, count: number): OpenWindow[] {
  const windows: OpenWindow[] = [];
  for (const gap of gaps.toReversed()) {
    let to = gap.to;
    while (to > gap.from && windows.length < count) {
      const from = Math.max(gap.from, to - widthMs);
      windows.push(freshWindow({ from, to }));
      to = from;
    }
  }
  return windows;
}

interface Wanted {
  /** ms */
  readonly wanted: number;
  /** The fills would allow more, but windows grow step by step. */
  readonly isGrowing: boolean;
}

/** The width that would give a full window, from how dense the walked windows near to the gap's upper end were. */
function wantedWidth(near: readonly WindowRecord[]): Wanted {
  if (near.length === 0) {
    return { wanted: CLAMP_FLOOR_MS - 2 * MARGIN_MS, isGrowing: true };
  }
  const last = Math.max(...near.map(({ from, to }) => to - from), MINUTE_MS);
  const rows = near.reduce((sum, record) => sum + record.rows, 0);
  const time = near.reduce((sum, { from, to }) => sum + (to - from), 0);
  const target = rows === 0 ? Number.POSITIVE_INFINITY : Math.floor((time / rows) * TARGET_ROWS);
  const wanted = Math.max(target, MINUTE_MS, Math.floor(last / SHRINK));
  return { wanted: Math.min(wanted, last * GROWTH), isGrowing: wanted > last * GROWTH };
}
