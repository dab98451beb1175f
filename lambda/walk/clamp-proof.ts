import type { Direction, Proven } from "../archive/manifest.ts";
import type { Ended } from "../archive/manifest-entries.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";

/** Narrowest clamp that is thinkable: no service known to us answers less than a day of what is asked. A whole day with exclusive ends is a millisecond less. */
const CLAMP_FLOOR_MS = DAY_MS - 1;

/** What one chain that has ended showed of its window. */
export interface Answer extends TimeRange {
  /** What was asked, ms of `txCreated`, margins included. */
  readonly asked: TimeRange;
  readonly ended: Ended;
  readonly pages: number;
  /** Distinct rows, margins included; the ends of their times, null when none came; and how those followed each other. */
  readonly rows: number;
  /** The same with those that were repeated. */
  readonly sent: number;
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly came: Direction | "mixed" | null;
}

/** What is known of how the service cuts its answers. */
export interface Cuts {
  readonly proven: Proven;
  /** Most rows that one query was seen to deliver. */
  readonly mostRows: number;
  /** The same with repeated ones. */
  readonly mostSent: number;
  /** Least rows of a page that another may follow; half of the fullest where none did: what shortens a page by less than that is not seen. */
  readonly pageRows: number;
  /** Rows are sure to come in an order: otherwise those of an answer that came in one may have done so by chance. */
  readonly isOrderProven: boolean;
  /** As of `begunBy`, of this run. */
  readonly begun: readonly TimeRange[];
}

/**
 * The part of its window that an answer covers; null: none of it. An answer covers what lies between its rows, and of the silence before its first and after
 * its last row as much as no clamp could hide; nothing beyond the row that it ended with, if a cap could have ended it there.
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
 * A service may answer only the newest or the oldest stretch of a wide range, in silence: a clamp. It is assumed to have one width, and always to keep the same
 * end. With [A, B] asked and rows from a to b, one that keeps the end is at least B − a wide, one that keeps the beginning at least b − A.
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

/** Widest range, ms, margins included, of which no clamp can hide anything. */
export function safeWidth({ keepingEnd, keepingBeginning }: Proven): number {
  return Math.max(Math.min(keepingEnd, keepingBeginning), CLAMP_FLOOR_MS);
}

/** A proven width counts for ranges that are no wider: a clamp may begin only beyond some width, and then be narrower than what narrower ranges have proven. */
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

/** A chain that was ended by the order of its rows has all that comes after its first row. */
function ofOrder(answer: Answer, cuts: Cuts): TimeRange {
  const isInOrder = answer.came === "descending" || answer.came === "ascending";
  return answer.ended === "order" && isInOrder ? fromFirst(answer, cuts) : answer;
}

/** Whether the service could have stopped after so many rows, and not at the end of what was asked. An answer of part of a page is its own end. */
export function mayBeCapped({ ended, pages, rows, sent }: Answer, { pageRows }: Cuts): boolean {
  return ended === "no-last" && (pages > 1 || sent >= pageRows) && rows > 0;
}

/** Margin within which rows of one time are asked for again together with their neighbours, ms. */
export const TIE_MS = 2;

/**
 * What a cap cannot have cut off: what lies between the first and the last row, where they came in order, and what is before the first as of `fromFirst`. Rows of one
 * time alone, or of two that margins cannot tell apart, cannot be divided by asking again: they count, and what is beside them is asked for without them. Rows in no
 * order, or in none that is sure, count if another query has delivered more.
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

/** No more than another query has delivered, so that no cap that counts rows has cut it; or of a millisecond, which no dates can divide. */
function isWithinCap({ from, to, rows, sent }: Answer, { mostRows, mostSent }: Cuts): boolean {
  return (rows < mostRows && sent < mostSent) || to - from <= 1;
}

/**
 * Without the time of the first row, and what is before it: a cap may keep the newest rows and send them oldest first. Where another answer had begun before all that was
 * asked for, all of it is there: that answer would have had these rows too, and more, and no cap has cut them.
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

/** What comes after the first row of an answer, in its order; null: none is known. */
export function begunBy({ asked, lowest, highest, came }: Answer): TimeRange | null {
  if (lowest === null || highest === null || came === null || came === "mixed") {
    return null;
  }
  return came === "descending" ? { from: asked.from, to: highest } : { from: lowest + 1, to: asked.to };
}
