import type { TimeRange } from "./time.ts";

export const ALL_TIME: TimeRange = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

/** The same times as sorted ranges that neither overlap nor touch. Empty ranges are dropped. */
export function union(ranges: readonly TimeRange[]): TimeRange[] {
  const out: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = out.at(-1);
    if (to <= from) {
      continue;
    }
    if (last !== undefined && from <= last.to) {
      last.to = Math.max(last.to, to);
    } else {
      out.push({ from, to });
    }
  }
  return out;
}

/** The parts of `range` that no range of `taken` holds. `taken` must be a `union`. */
export function subtract(range: TimeRange, taken: readonly TimeRange[]): TimeRange[] {
  const out: TimeRange[] = [];
  let from = range.from;
  for (const hole of taken) {
    if (hole.to <= from) {
      continue;
    }
    if (hole.from >= range.to) {
      break;
    }
    if (hole.from > from) {
      out.push({ from, to: hole.from });
    }
    from = Math.max(from, hole.to);
  }
  if (from < range.to) {
    out.push({ from, to: range.to });
  }
  return out;
}

export function overlaps(a: TimeRange, b: TimeRange): boolean {
  return a.from < b.to && b.from < a.to;
}

/** Whether `ranges` (a `union`) hold all of `range`. */
export function covers(ranges: readonly TimeRange[], range: TimeRange): boolean {
  return subtract(range, ranges).length === 0;
}

export function isWithin({ from, to }: TimeRange, time: number): boolean {
  return from <= time && time < to;
}

/** As `isWithin`, with both ends. */
export function isInside({ from, to }: TimeRange, time: number): boolean {
  return from <= time && time <= to;
}

export function holds(ranges: readonly TimeRange[], time: number): boolean {
  for (const range of ranges) {
    if (isWithin(range, time)) {
      return true;
    }
  }
  return false;
}

export function intersection(range: TimeRange, ranges: readonly TimeRange[]): TimeRange[] {
  return ranges
    .map(({ from, to }) => ({ from: Math.max(from, range.from), to: Math.min(to, range.to) }))
    .filter(({ from, to }) => from < to);
}

/** Sum of widths, ms. */
export function width(ranges: readonly TimeRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + (to - from), 0);
}

/**
 * Returns a function that finds the range of a time. It tries the range of the previous time first. Throws if
 * no range holds the time.
 */
export function rangeFinder<Range extends TimeRange>(ranges: readonly Range[]): (time: number) => Range {
  let last: Range | undefined;
  return (time) => {
    if (last === undefined || !isWithin(last, time)) {
      last = ranges.find((one) => isWithin(one, time));
    }
    if (last === undefined) {
      throw new RangeError(`${time} is outside of the period`);
    }
    return last;
  };
}

export function widthOf({ from, to }: TimeRange): number {
  return to - from;
}

export function middleOf({ from, to }: TimeRange): number {
  return Math.floor((from + to) / 2);
}

/** Both parts of a range, the older one first. */
export function halves(range: TimeRange, at: number = middleOf(range)): readonly [TimeRange, TimeRange] {
  return [
    { from: range.from, to: at },
    { from: at, to: range.to },
  ];
}

/** A range with a margin on both sides, ms. */
export function wider({ from, to }: TimeRange, margin: number): TimeRange {
  return { from: from - margin, to: to + margin };
}

/** A range without a part at one of its ends. */
export function without(range: TimeRange, part: TimeRange): TimeRange {
  return part.from === range.from ? { from: part.to, to: range.to } : { from: range.from, to: part.from };
}

/** The place of the first item of a sorted list that does not lie before; the list's length: all do. By halving. */
export function firstPlace<Item>(sorted: readonly Item[], liesBefore: (item: Item) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (liesBefore(sorted[middle] as Item)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
