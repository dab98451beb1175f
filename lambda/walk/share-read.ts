import type { OpenWindow, Order } from "../archive/manifest.ts";
import { intersection, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";

/** Fewer pages say nothing of how fast the walk comes through the time. */
const LEAST_PAGES = 10;
/** Whether all is read is known when the walk is over. */
const MOST = 0.999;

export interface ShareInput {
  /** What was to be read when the walk began. */
  readonly claimed: readonly TimeRange[];
  /** What of it is left. */
  readonly unread: readonly TimeRange[];
  /** Pages that came. */
  readonly pages: number;
  /** ms UTC; of what is older nobody knows whether there are fills. */
  readonly knownSince: number;
}

/**
 * The share of the walk that is read, less than 1, if what is left is as dense as what was read. Null: not
 * known, because few pages came, or because what is left may be older than the account: an empty stretch
 * would count as much as a full one.
 */
export function shareRead({ claimed, unread, pages, knownSince }: ShareInput): number | null {
  const [left, all] = [width(unread), width(claimed)];
  const isKnown = left <= all && unread.every(({ from }) => from >= knownSince);
  return pages < LEAST_PAGES || !isKnown ? null : Math.min(MOST, 1 - left / all);
}

/** The part of a window that its chain has read. Nothing, where rows come in no known order. */
export function readOf(window: OpenWindow, order: Pick<Order, "direction" | "refuted">): readonly TimeRange[] {
  const { from, to, lowest, highest, dated } = window;
  if (!dated || order.refuted || order.direction === null || lowest === null || highest === null) {
    return [];
  }
  return intersection({ from, to }, [
    order.direction === "ascending" ? { from, to: highest } : { from: lowest + 1, to },
  ]);
}

export interface ReachedInput {
  /** What is read: all of it, or none, or a part. */
  readonly range: TimeRange;
  /** What of it is left, in order. */
  readonly unread: readonly TimeRange[];
  /** The times of the oldest and the newest fill that is known; infinite if there is none. */
  readonly oldest: number;
  readonly newest: number;
  readonly direction: Order["direction"];
}

/**
 * How far a walk has come without a gap, ms UTC: from the newest time back, or from the oldest on if rows
 * ascend. What is newer, or older, than all fills is often asked for last and holds none, so it is left out.
 */
export function reachedOf({ range, unread, oldest, newest, direction }: ReachedInput): number {
  const isAscending = direction === "ascending";
  const among = unread.filter(({ from, to }) => (isAscending ? to > oldest : from <= newest));
  const left = among.length === 0 ? unread : among;
  return isAscending ? (left[0]?.from ?? range.to) : (left.at(-1)?.to ?? range.from);
}
