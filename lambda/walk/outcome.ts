import type { AssumedRange, OpenWindow } from "../archive/manifest.ts";
import { subtract } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Answer } from "./clamp-proof.ts";
import { restarted } from "./resume.ts";
import { askedBy, halvesOf } from "./window.ts";

/** What a chain showed of its window when it ended this way. */
export function answerOf(window: OpenWindow, ended: Answer["ended"]): Answer {
  const { from, to, pages, rows = 0, duplicates, lowest, highest, came = null } = window;
  return { from, to, asked: askedBy(window), ended, pages, rows, sent: rows + duplicates, lowest, highest, came };
}

/**
 * The windows that replace one whose cursor was refused. The cursor may have expired, so the window begins
 * again once. After that it is halved, because shorter chains may suffice. Empty: no smaller window helps.
 */
export function afterRefusal(window: OpenWindow, isFirst: boolean): readonly OpenWindow[] {
  if (isFirst) {
    return [restarted(window)];
  }
  const isEmpty = window.lowest === null;
  return !window.dated || isEmpty ? [] : halvesOf(window);
}

/**
 * The assumed ranges after a window was covered: by an answer that needs no assumption (0), or by silence
 * that was asked for in ranges of `widthMs`.
 */
export function assumedAfter(
  assumed: readonly AssumedRange[],
  covered: TimeRange,
  widthMs: number,
): readonly AssumedRange[] {
  const others = assumed.flatMap(({ widthMs: before, ...range }) =>
    subtract(range, [covered]).map((rest) => ({ ...rest, widthMs: before })),
  );
  if (widthMs === 0) {
    return others;
  }
  const last = { from: covered.from, to: covered.to, widthMs };
  return [...others, last].sort((a, b) => a.from - b.from).reduce<AssumedRange[]>(joined, []);
}

function joined(list: AssumedRange[], one: AssumedRange): AssumedRange[] {
  const last = list.at(-1);
  return last !== undefined && last.to === one.from && last.widthMs === one.widthMs
    ? [...list.slice(0, -1), { ...last, to: one.to }]
    : [...list, one];
}
