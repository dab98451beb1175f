import type { Checkpoint, OpenWindow } from "../archive/manifest.ts";
import type { WindowRecord } from "../archive/manifest-entries.ts";
import { intersection, isWithin, subtract, union } from "../core/ranges.ts";
import { DAY_MS, MINUTE_MS, type TimeRange } from "../core/time.ts";
import { safeWidth } from "./clamp-proof.ts";
import { mostAsked, type Refused } from "./refusals.ts";
import { halfBelieved, type Silence } from "./silence.ts";
import { freshWindow, MARGIN_MS, undatedWindow } from "./window.ts";

/** Which windows to walk next: a pure function of what is not covered and of what is known. */

/** Silence is asked for in at most so many windows, however long it is: what a narrower clamp could hide is assumed not to be there. */
const MOST_SILENT_WINDOWS = 10;
/** So many of a shorter range, so that none is wider than a week: no service that we know of answers less. */
const MOST_SILENT_WEEKS = 42;
/** Silence that is walked again is asked for in windows of a week. */
const SILENT_AGAIN_MS = 7 * DAY_MS;
/** Windows begun at once. */
const MOST_WINDOWS = 64;
const TARGET_ROWS = 16 * 100; // of one window of rows in no order, in full pages
const TARGET_ROWS_OF_PAGE = 50; // of one that no cursor may be followed in
/** A chain of more rows in no order is given up for several narrower ones. */
export const MOST_ROWS = 2 * TARGET_ROWS;
const GROWTH = 4;
const SHRINK = 16;
const FIRST_WIDTH_MS = DAY_MS;
/** Records near a gap that say how dense its fills may be. */
export const NEIGHBOURS = 8;

export interface GapInput {
  readonly range: TimeRange;
  readonly coverage: readonly TimeRange[];
  /** Not asked for again before the next run. */
  readonly failed: readonly TimeRange[];
  /** What is to be walked although it is covered. */
  readonly again: readonly TimeRange[];
}

export interface PlanInput {
  /** As of `gapsOf`. */
  readonly gaps: readonly TimeRange[];
  readonly again: readonly TimeRange[];
  /** All that the run was asked for. */
  readonly range: TimeRange;
  readonly refused: Refused;
  readonly silence: Silence;
  /** The NEIGHBOURS records nearest to the uppermost gap. */
  readonly near: readonly WindowRecord[];
  readonly checkpoint: Pick<Checkpoint, "proven" | "datesTrusted" | "limits" | "clampSeen" | "ties"> & {
    readonly order: Pick<Checkpoint["order"], "refuted">;
  };
  /** Windows side by side. */
  readonly workers: number;
}

/** What is still to be walked, in time order. */
export function gapsOf({ range, coverage, failed, again }: GapInput): TimeRange[] {
  const without = union(failed);
  const lacking = subtract(range, union([...coverage, ...failed]));
  return union([...lacking, ...again.flatMap((one) => subtract(one, without))]);
}

/** The next windows, newest first, to be walked side by side; none when nothing is left, or nothing that the service takes dates of. */
export function planRound(input: PlanInput): OpenWindow[] {
  const { gaps, checkpoint, refused, workers } = input;
  const [lowest] = gaps;
  const top = gaps.at(-1);
  if (lowest === undefined || top === undefined) {
    return [];
  }
  if (!checkpoint.datesTrusted) {
    return [undatedWindow({ from: lowest.from, to: top.to })];
  }
  const heard = halfBelieved(input.silence);
  const asked = gaps
    .flatMap((gap) => cutAtEdges(gap, refused.ranges))
    .flatMap((gap) => [...intersection(gap, heard).map((one) => stepInto(one, input)), ...subtract(gap, heard)])
    .sort((a, b) => a.from - b.from);
  const most = mostAsked(checkpoint.limits);
  const newest = asked.at(-1) ?? top;
  const inRefused = (piece: TimeRange) => refused.ranges.filter((one) => isWithin(one, piece.from));
  const taken = (piece: TimeRange, isFirst: boolean) => {
    // What was refused may have had too many rows: once a round, more is tried.
    const growth = isFirst && (checkpoint.limits?.acceptedMs ?? 0) > 0 ? GROWTH : 1;
    const ranges = inRefused(piece);
    const within = ranges.length === 0 ? Number.POSITIVE_INFINITY : (refused.takenMs ?? Number.POSITIVE_INFINITY);
    return Math.min(growth * most, growth * within, ...halfOf(ranges));
  };
  // Each refusal may be about how wide the range is, or how old: the newest window tells.
  const isLimited = most !== Number.POSITIVE_INFINITY;
  const isOld = inRefused(newest).length > 0;
  const isUntold = (isLimited && checkpoint.limits?.acceptedMs === 0) || (isOld && refused.takenMs === null);
  const atMost = isUntold ? 1 : Math.min(MOST_WINDOWS, isLimited || isOld ? 2 ** refused.times : MOST_WINDOWS);
  if (!checkpoint.order.refuted) {
    return cutBack(asked, (gap, isFirst) => Math.min(taken(gap, isFirst), widthOf(gap, heard, input)), atMost);
  }
  const { wanted, isGrowing } = wantedWidth(
    input.near,
    top.to,
    checkpoint.ties === "dropped" ? TARGET_ROWS_OF_PAGE : TARGET_ROWS,
  );
  // What was silent is asked for again as it was: in windows cut elsewhere each time, none would be heard often enough.
  const silent = input.silence.heard.map((one) => one.range);
  const pieces = asked.flatMap((gap) => cutAtEdges(gap, silent));
  const width = (piece: TimeRange, isFirst: boolean) =>
    Math.min(
      taken(piece, isFirst),
      widthOf(piece, heard, input),
      silent.some((one) => isWithin(one, piece.from)) ? Number.POSITIVE_INFINITY : wanted,
    );
  return cutBack(pieces, width, isGrowing ? 1 : Math.min(workers, atMost));
}

/** Half of the narrowest of the ranges, ms. */
function halfOf(ranges: readonly TimeRange[]): number[] {
  return ranges.length === 0 ? [] : [Math.max(1, Math.floor(Math.min(...ranges.map(({ from, to }) => to - from)) / 2))];
}

function cutAtEdges({ from, to }: TimeRange, ranges: readonly TimeRange[]): TimeRange[] {
  const inside = ranges.flatMap((one) => [one.from, one.to]).filter((edge) => from < edge && edge < to);
  const edges = [from, ...new Set(inside), to].sort((a, b) => a - b);
  return edges.slice(1).map((end, index) => ({ from: edges[index] ?? from, to: end }));
}

/**
 * What is older than all fills is asked for the last time by steps, each wider by the silence above it: dates that are too old may be answered with nothing, however new
 * the others are that were asked for with them.
 */
function stepInto(silent: TimeRange, input: PlanInput): TimeRange {
  const { again, range, near } = input;
  const isOldest = silent.from <= range.from && !again.some((one) => isWithin(one, silent.from));
  const step = Math.max(DAY_MS, (GROWTH - 1) * silenceAbove(near, silent.to));
  return isOldest && step < widthOf(silent, [silent], input)
    ? { from: Math.max(silent.from, silent.to - step), to: silent.to }
    : silent;
}

/** A gap is asked for as a whole, if no clamp was seen, until that was found silent often enough: the last time in windows that are narrow enough, or are taken to be. ms */
function widthOf(gap: TimeRange, heard: readonly TimeRange[], { again, range, checkpoint }: PlanInput): number {
  const isSilent = heard.some((one) => isWithin(one, gap.from));
  if (!isSilent && checkpoint.clampSeen !== true) {
    return Number.POSITIVE_INFINITY;
  }
  const isAgain = again.some((one) => isWithin(one, gap.from));
  return Math.max(safeWidth(checkpoint.proven) - 2 * MARGIN_MS, silentWidth(range, checkpoint, isAgain));
}

/** Widest window, ms, whose silence is believed although a clamp could hide something there; 0: none is. */
export function silentWidth(range: TimeRange, { clampSeen }: Pick<Checkpoint, "clampSeen">, isAgain: boolean): number {
  if (clampSeen === true) {
    return 0;
  }
  const all = range.to - range.from;
  const width = Math.ceil(all / (all <= MOST_SILENT_WEEKS * SILENT_AGAIN_MS ? MOST_SILENT_WEEKS : MOST_SILENT_WINDOWS));
  return isAgain ? Math.min(width, SILENT_AGAIN_MS) : width;
}

/** Cuts the gaps into windows from the newest time back, at most `count` of them. */
function cutBack(
  gaps: readonly TimeRange[],
  widthMs: (gap: TimeRange, isFirst: boolean) => number,
  count: number,
): OpenWindow[] {
  const windows: OpenWindow[] = [];
  for (const gap of gaps.toReversed()) {
    let to = gap.to;
    while (to > gap.from && windows.length < count) {
      const from = Math.max(gap.from, to - widthMs(gap, windows.length === 0));
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

/** The width that would give a window of so many rows, from how dense the walked windows near to the gap's upper end were. */
function wantedWidth(near: readonly WindowRecord[], top: number, targetRows: number): Wanted {
  if (near.length === 0) {
    return { wanted: FIRST_WIDTH_MS, isGrowing: true };
  }
  const silentMs = silenceAbove(near, top);
  if (silentMs > 0) {
    return { wanted: GROWTH * silentMs, isGrowing: true };
  }
  const last = Math.max(...near.map(({ from, to }) => to - from), MINUTE_MS);
  const rows = near.reduce((sum, record) => sum + record.rows, 0);
  const time = near.reduce((sum, { from, to }) => sum + (to - from), 0);
  const target = rows === 0 ? Number.POSITIVE_INFINITY : Math.floor((time / rows) * targetRows);
  const wanted = Math.max(target, MINUTE_MS, Math.floor(last / SHRINK));
  return { wanted: Math.min(wanted, last * GROWTH), isGrowing: wanted > last * GROWTH };
}

/** How long nothing was found right above the time, ms. */
function silenceAbove(near: readonly WindowRecord[], top: number): number {
  const above = near.filter(({ from }) => from >= top).sort((a, b) => a.from - b.from);
  let end = top;
  for (const { from, to, rows } of above) {
    if (from !== end || rows > 0) {
      break;
    }
    end = to;
  }
  return end - top;
}
