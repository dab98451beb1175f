import { DAY_MS, HOUR_MS, type TimeRange } from "../core/time.ts";

/** The narrowest range that is asked for when the service refuses ranges, or rows in them, ms. */
export const NARROWEST_MS = HOUR_MS;
/** Below this width a range is not halved for any other reason, ms. */
export const FINEST_MS = 8;
/** The widest window of the first reading, ms. */
export const WIDEST_MS = 365 * DAY_MS;

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

/** A range as windows of at most WIDEST_MS, the newest first. */
export function windowsOf(range: TimeRange): readonly TimeRange[] {
  const count = Math.ceil(widthOf(range) / WIDEST_MS);
  const at = (place: number) => range.from + Math.floor((widthOf(range) * place) / count);
  return Array.from({ length: count }, (_, place) => ({ from: at(place), to: at(place + 1) })).toReversed();
}
