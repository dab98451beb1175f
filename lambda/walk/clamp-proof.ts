import type { Direction, Proven } from "../archive/manifest.ts";
import type { Ended } from "../archive/manifest-entries.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";

/**
 * The narrowest clamp that the walk expects. No service known to us answers less than one day of a range.
 * With exclusive ends, a whole day is one millisecond less.
 */
const CLAMP_FLOOR_MS = DAY_MS - 1;

/** What one finished chain showed of its window. */
export interface Answer extends TimeRange {
  /** The range that was asked for, ms of `txCreated`, with margins. */
  readonly asked: TimeRange;
  readonly ended: Ended;
  readonly pages: number;
  /** Distinct rows, margins included; their first and last times (null: no rows); and their order. */
  readonly rows: number;
  /** The number of rows with repeats. */
  readonly sent: number;
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly came: Direction | "mixed" | null;
}

/** What is known of how the service cuts its answers. */
export interface Cuts {
  readonly proven: Proven;
  /** The most distinct rows that one query delivered. */
  readonly mostRows: number;
  /** The most rows that one query delivered, repeats included. */
  readonly mostSent: number;
  /**
   * The fewest rows of a page that another page followed. If none did: half of the fullest page. A mistake
   * that shortens a page by less than that is not noticed.
   */
  readonly pageRows: number;
  /** True when rows are proven to come in order. Otherwise an ordered answer may be ordered by chance. */
  readonly isOrderProven: boolean;
  /** What `begunBy` gave for the answers of this run. */
  readonly begun: readonly TimeRange[];
}

/**
 * The part of its window that an answer covers; null: nothing. An answer covers the time between its rows. It
 * covers the silence before the first and after the last row only as far as no clamp could hide rows there.
 * If a cap could have ended it, it covers nothing beyond its last row.
 */
export function coveredBy(answer: Answer, cuts: Cuts): TimeRange | null {
  const unclamped = withoutClamp(answer, cuts.proven);
  const uncapped = mayBeCapped(answer, cuts) ? withoutCap(answer, cuts) : ofOrder(answer, cuts);
  if (unclamped === null || uncapped === null) {
    return null;
  }
  const from = Math.max(unclamped.from, uncapped.from);
  const to = Math.min(unclamped.to, uncapped.to);
  return from < to ? { from, to } : null;
}

/**
 * Proves a least width of the clamp from one answer. A clamp answers only the newest or the oldest stretch of
 * a wide range, and says nothing. We assume that it has one width and always keeps the same end. Ask for [A,
 * B] and get rows from a to b: a clamp that keeps the end is at least B − a wide, one that keeps the
 * beginning at least b − A.
 */
export function provenBy({ asked, lowest, highest }: Pick<Answer, "asked" | "lowest" | "highest">): Proven {
  return lowest === null || highest === null
    ? NOTHING_PROVEN
    : { keepingEnd: Math.max(0, asked.to - lowest), keepingBeginning: Math.max(0, highest - asked.from) };
}

export const NOTHING_PROVEN: Proven = { keepingEnd: 0, keepingBeginning: 0 };

export function widestOf(a: Proven, b: Proven): Proven {
  return {
    keepingEnd: Math.max(a.keepingEnd, b.keepingEnd),
    keepingBeginning: Math.max(a.keepingBeginning, b.keepingBeginning),
  };
}

/** The widest range in which no clamp can hide rows. ms, margins included. */
export function safeWidth({ keepingEnd, keepingBeginning }: Proven): number {
  return Math.max(Math.min(keepingEnd, keepingBeginning), CLAMP_FLOOR_MS);
}

/**
 * A proven width counts only for ranges that are no wider. A service may start to clamp beyond some width,
 * and then clamp to less than narrower ranges have proven.
 */
function withoutClamp({ from, to, asked, lowest, highest }: Answer, proven: Proven): TimeRange | null {
  const width = asked.to - asked.from;
  const isWhole = (provenMs: number) => width <= Math.max(provenMs, CLAMP_FLOOR_MS);
  const answeredFrom = isWhole(proven.keepingEnd)
    ? asked.from
    : Math.min(lowest ?? asked.to, asked.to - CLAMP_FLOOR_MS);
  const answeredTo = isWhole(proven.keepingBeginning)
    ? asked.to
    : Math.max((highest ?? asked.from) + 1, asked.from + CLAMP_FLOOR_MS);
  return { from: Math.max(from, answeredFrom), to: Math.min(to, answeredTo) };
}

/** A chain that ended by the order of its rows has everything after its first row. */
function ofOrder(answer: Answer, cuts: Cuts): TimeRange {
  const isInOrder = answer.came === "descending" || answer.came === "ascending";
  return answer.ended === "order" && isInOrder ? fromFirst(answer, cuts) : answer;
}

/**
 * True when the service may have stopped because of the number of rows. An answer of less than a page has
 * ended by itself.
 */
export function mayBeCapped({ ended, pages, rows, sent }: Answer, { pageRows }: Cuts): boolean {
  return ended === "no-last" && (pages > 1 || sent >= pageRows) && rows > 0;
}

/** Rows of one time are asked for again with their neighbours within this margin. ms */
export const TIE_MS = 2;

/**
 * The part that no cap can have cut off. If the rows came in order: the time between the first and last row,
 * and the time before the first as `fromFirst` gives it. Rows of a single time cannot be divided by dates,
 * nor can two times that margins cannot separate: they count, and the rest is asked for without them. Rows
 * without a proven order count only if another query has delivered more.
 */
function withoutCap(answer: Answer, cuts: Cuts): TimeRange | null {
  const { lowest, highest, came } = answer;
  if (lowest === null || highest === null) {
    return answer;
  }
  const isUncapped = isWithinCap(answer, cuts);
  if (came === null || (came !== "mixed" && !isUncapped && cuts.isOrderProven && highest - lowest <= 1)) {
    return { from: lowest - TIE_MS, to: highest + 1 + TIE_MS };
  }
  if (!(isUncapped || (cuts.isOrderProven && came !== "mixed"))) {
    return null;
  }
  if (came === "mixed") {
    return answer;
  }
  const { from, to } = isUncapped ? answer : fromFirst(answer, cuts);
  if (came === "descending") {
    return { from: lowest + 1 < to ? lowest + 1 : lowest - TIE_MS, to };
  }
  return { from, to: highest > from ? highest : highest + 1 + TIE_MS };
}

/**
 * True when another query delivered at least as many rows, so that no cap on rows has cut this answer. Also
 * true for a single millisecond, which no dates can divide.
 */
function isWithinCap({ from, to, rows, sent }: Answer, { mostRows, mostSent }: Cuts): boolean {
  return (rows < mostRows && sent < mostSent) || to - from <= 1;
}

/**
 * Leaves out the first row's time and everything before it: a cap may keep the newest rows and send them
 * oldest first. But if another answer began before this range, nothing is left out. That answer would have
 * had these rows too, and more, so no cap has cut them.
 */
function fromFirst(answer: Answer, { begun }: Cuts): TimeRange {
  const { from, to, lowest, highest, came } = answer;
  if (begun.some((range) => range.from <= from && to <= range.to)) {
    return answer;
  }
  return came === "descending"
    ? { from, to: Math.min(to, highest ?? to) }
    : { from: Math.max(from, (lowest ?? from) + 1), to };
}

/** The time after the first row of an answer, in its order. Null: not known. */
export function begunBy({ asked, lowest, highest, came }: Answer): TimeRange | null {
  if (lowest === null || highest === null || came === null || came === "mixed") {
    return null;
  }
  return came === "descending" ? { from: asked.from, to: highest } : { from: lowest + 1, to: asked.to };
}
