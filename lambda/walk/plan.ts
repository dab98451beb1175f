import type { Checkpoint, OpenWindow } from "../archive/manifest.ts";
import type { WindowRecord } from "../archive/manifest-entries.ts";
import { intersection, isWithin, subtract, union } from "../core/ranges.ts";
import { DAY_MS, MINUTE_MS, type TimeRange } from "../core/time.ts";
import { safeWidth } from "./clamp-proof.ts";
import { mostAsked, type Refused } from "./refusals.ts";
import { halfBelieved, type Silence } from "./silence.ts";
import { freshWindow, MARGIN_MS, undatedWindow } from "./window.ts";

/** Plans the next windows: a pure function of what is not covered and of what is known. */

/**
 * Silence is asked for in at most this many windows, however long it is. We assume that no clamp is narrow
 * enough to hide rows in such a window.
 */
const MOST_SILENT_WINDOWS = 10;
/**
 * For a shorter range, this many windows, so that none is wider than a week. No known service answers less.
 */
const MOST_SILENT_WEEKS = 42;
/** Silence that is rechecked is asked for in windows of a week. */
const SILENT_RECHECK_MS = 7 * DAY_MS;
/** The most windows that are begun at once. */
const MOST_WINDOWS = 64;
const TARGET_ROWS = 16 * 100; // of one window of rows in no order, in full pages
const TARGET_ROWS_OF_PAGE = 50; // of one that no cursor may be followed in
/** A chain with more rows than this, in no order, is replaced by several narrower ones. */
export const MOST_ROWS = 2 * TARGET_ROWS;
const GROWTH = 4;
const SHRINK = 16;
const FIRST_WIDTH_MS = DAY_MS;
/** How many records near a gap are used to estimate how dense its fills are. */
export const NEIGHBOURS = 8;

export interface GapInput {
  readonly range: TimeRange;
  readonly coverage: readonly TimeRange[];
  /** Ranges that are not asked for again before the next run. */
  readonly failed: readonly TimeRange[];
  /** Covered ranges that are to be rechecked. */
  readonly rechecks: readonly TimeRange[];
}

export interface PlanInput {
  /** As in `gapsOf`. */
  readonly gaps: readonly TimeRange[];
  readonly rechecks: readonly TimeRange[];
  /** The whole range of the run. */
  readonly range: TimeRange;
  readonly refused: Refused;
  readonly silence: Silence;
  /** The NEIGHBOURS records nearest to the uppermost gap. */
  readonly near: readonly WindowRecord[];
  readonly checkpoint: Pick<Checkpoint, "proven" | "datesTrusted" | "limits" | "clampSeen" | "ties"> & {
    readonly order: Pick<Checkpoint["order"], "refuted">;
  };
  /** How many windows are walked side by side. */
  readonly workers: number;
}

/** What is still to be walked, in time order. */
export function gapsOf({ range, coverage, failed, rechecks }: GapInput): TimeRange[] {
  const without = union(failed);
  const lacking = subtract(range, union([...coverage, ...failed]));
  return union([...lacking, ...rechecks.flatMap((one) => subtract(one, without))]);
}

/**
 * The next windows to be walked side by side, newest first. Empty: nothing is left, or nothing whose dates
 * the service accepts.
 */
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
    // A refused range may have had too many rows, so once a round a wider one is tried.
    const growth = isFirst && (checkpoint.limits?.acceptedMs ?? 0) > 0 ? GROWTH : 1;
    const ranges = inRefused(piece);
    const within = ranges.length === 0 ? Number.POSITIVE_INFINITY : (refused.takenMs ?? Number.POSITIVE_INFINITY);
    return Math.min(growth * most, growth * within, ...halfOf(ranges));
  };
  // A refusal may be about the width of a range or about its age. The newest window tells which.
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
  // Ask for silence again in the same windows. Cut elsewhere each time, none would be asked for often enough.
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
 * The last request for what is older than all fills goes in steps. Each step is as wide as the silence above
 * it. A service may answer dates that are too old with nothing, and hide newer fills of the same range.
 */
function stepInto(silent: TimeRange, input: PlanInput): TimeRange {
  const { rechecks, range, near } = input;
  const isOldest = silent.from <= range.from && !rechecks.some((one) => isWithin(one, silent.from));
  const step = Math.max(DAY_MS, (GROWTH - 1) * silenceAbove(near, silent.to));
  return isOldest && step < widthOf(silent, [silent], input)
    ? { from: Math.max(silent.from, silent.to - step), to: silent.to }
    : silent;
}

/**
 * The width of the next window in a gap, ms. While no clamp was seen, the whole gap is asked for, until it
 * was silent often enough. The last time it is asked for in windows that are narrow enough, or assumed to be.
 */
function widthOf(gap: TimeRange, heard: readonly TimeRange[], { rechecks, range, checkpoint }: PlanInput): number {
  const isSilent = heard.some((one) => isWithin(one, gap.from));
  if (!isSilent && checkpoint.clampSeen !== true) {
    return Number.POSITIVE_INFINITY;
  }
  const isRecheck = rechecks.some((one) => isWithin(one, gap.from));
  return Math.max(safeWidth(checkpoint.proven) - 2 * MARGIN_MS, silentWidth(range, checkpoint, isRecheck));
}

/** The widest window whose silence is believed although a clamp could hide rows, ms. 0: none is. */
export function silentWidth(
  range: TimeRange,
  { clampSeen }: Pick<Checkpoint, "clampSeen">,
  isRecheck: boolean,
): number {
  if (clampSeen === true) {
    return 0;
  }
  const all = range.to - range.from;
  const width = Math.ceil(
    all / (all <= MOST_SILENT_WEEKS * SILENT_RECHECK_MS ? MOST_SILENT_WEEKS : MOST_SILENT_WINDOWS),
  );
  return isRecheck ? Math.min(width, SILENT_RECHECK_MS) : width;
}

/** Cuts the gaps into windows, from the newest time back, at most `count` of them. */
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
  /** True when the density of fills would allow a wider window, but windows grow step by step. */
  readonly isGrowing: boolean;
}

/**
 * The width that would hold about `targetRows` rows, from the density of the walked windows near the gap's
 * upper end.
 */
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

/** How long the silence right above the time is, ms. */
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
