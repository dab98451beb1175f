import type { Checkpoint, Direction, Manifest, OpenWindow, Proven, WindowRecord } from "../archive/manifest.ts";
import { holds, subtract, union } from "../model/ranges.ts";
import { DAY_MS, MINUTE_MS, type TimeRange } from "../model/time.ts";
import { provenWidth } from "./cover.ts";

/**
 * Which windows to walk next, by time alone: a pure function of the archive's manifest and the range. The frontier goes from the upper end back in
 * time, in windows that are correct under any order of the rows.
 */

/** Narrowest clamp that is thinkable: no service known to us answers less than a day of what is asked. */
export const CLAMP_FLOOR_MS = DAY_MS;
/** A window asks 1 ms wider on both sides, so that inclusive and exclusive bounds give the same rows. */
export const MARGIN_MS = 1;
const TARGET_ROWS = 32 * 100; // of one window: 32 full pages
const GROWTH = 4;
const SHRINK = 16;
const NEIGHBOURS = 8;

export interface PlanInput {
  readonly range: TimeRange;
  readonly manifest: Pick<Manifest, "coverage" | "windows">;
  readonly checkpoint: Pick<Checkpoint, "proven" | "barrenAbove" | "datesTrusted">;
  /** Windows that failed in this run: not asked again before the next one. */
  readonly failed: readonly TimeRange[];
  /** What is to be walked although it is covered. */
  readonly again: readonly TimeRange[];
  /** Windows side by side. */
  readonly workers: number;
}

/** What is still to be walked, in time order. */
export function gapsOf({ range, manifest, failed, again }: Omit<PlanInput, "checkpoint" | "workers">): TimeRange[] {
  const without = union(failed);
  const lacking = subtract(range, union([...manifest.coverage, ...failed]));
  return union([...lacking, ...again.flatMap((one) => subtract(one, without))]);
}

/** Widest window, ms, whose answer cannot be clamped. */
export function safeWidth(proven: Proven): number {
  return Math.max(provenWidth(proven), CLAMP_FLOOR_MS) - 2 * MARGIN_MS;
}

/** The next windows, newest first, to be walked side by side; none when nothing is left. */
export function planRound(input: PlanInput): OpenWindow[] {
  const gaps = gapsOf(input);
  const [lowest] = gaps;
  const top = gaps.at(-1);
  if (lowest === undefined || top === undefined) {
    return [];
  }
  if (!input.checkpoint.datesTrusted) {
    return [undatedWindow({ from: lowest.from, to: top.to })];
  }
  const { wanted, isGrowing } = wantedWidth(input.manifest.windows, top);
  const safe = safeWidth(input.checkpoint.proven);
  const anchor = anchorOf(input, top);
  const isWide = Math.min(wanted, top.to - top.from) > safe;
  if (isWide && anchor !== null && anchor !== input.checkpoint.barrenAbove) {
    const from = Math.max(top.from, top.to - Math.min(wanted, GROWTH * safe));
    return [freshWindow({ from, to: top.to }, anchor)];
  }
  // A fill was seen and none is held above: one window may reach it, and with it the next can be wider.
  const isNearAnchor = wanted > safe && anchor === null && provenWidth(input.checkpoint.proven) > 0;
  const isStep = isNearAnchor || (wanted < safe && isGrowing);
  return cutBack(gaps, Math.min(wanted, safe), isStep ? 1 : input.workers);
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

/** The width that would give a full window, from how dense the walked windows nearest to the gap's upper end were. */
function wantedWidth(windows: readonly WindowRecord[], gap: TimeRange): Wanted {
  const near = windows
    .toSorted((a, b) => distance(a, gap.to) - distance(b, gap.to) || a.from - b.from)
    .slice(0, NEIGHBOURS);
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

function distance({ from, to }: TimeRange, time: number): number {
  if (time < from) {
    return from - time;
  }
  return time > to ? time - to : 0;
}

/**
 * The oldest known fill above the gap with nothing unknown between: asked along with the gap, it must be in the answer, which then
 * reaches from there down to its oldest row without a hole.
 */
function anchorOf({ manifest }: PlanInput, gap: TimeRange): number | null {
  const above = manifest.coverage.find(({ from }) => from === gap.to);
  if (above === undefined || !holds(manifest.coverage, gap.to)) {
    return null;
  }
  const oldest = manifest.windows.find(({ from, first }) => from >= gap.to && from < above.to && first !== null);
  return oldest?.first ?? null;
}
