import type { AssumedRange, OpenWindow } from "../archive/manifest.ts";
import { FillbookError } from "../errors.ts";
import { subtract } from "../model/ranges.ts";
import { DAY_MS, isoTime, type TimeRange } from "../model/time.ts";
import { describe } from "./chain.ts";
import type { Answer } from "./cover.ts";
import { restarted } from "./resume.ts";
import { askedBy, halvesOf } from "./window.ts";

/** What a chain showed of its window when it ended so. */
export function answerOf(window: OpenWindow, ended: Answer["ended"]): Answer {
  const { from, to, pages, rows = 0, duplicates, lowest, highest, came = null } = window;
  return { from, to, asked: askedBy(window), ended, pages, rows, sent: rows + duplicates, lowest, highest, came };
}

/**
 * What to walk instead of a window whose cursor was refused: it may have expired, so once, the window begins again; then its halves, so that shorter
 * chains suffice. Nothing when no smaller window helps.
 */
export function afterRefusal(window: OpenWindow, isFirst: boolean): readonly OpenWindow[] {
  if (isFirst) {
    return [restarted(window)];
  }
  const isEmpty = window.lowest === null;
  return !window.dated || isEmpty ? [] : halvesOf(window);
}

/** The assumed ranges after a window was covered: by an answer that leaves nothing to assume (0), or by silence that was asked for in `widthMs`. */
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

export function refusesItsCursor(window: OpenWindow, status: number): FillbookError {
  const message = `window ${describe(window)}: the service refuses its own cursor (${status}), and no smaller window helps`;
  return new FillbookError("incomplete", message, { hint: "run again; its rows so far are kept" });
}

export function lacksKnown(window: OpenWindow, lacking: number): FillbookError {
  const message = `window ${describe(window)}: the answer lacks ${lacking} fills that other answers held`;
  return new FillbookError("incomplete", message, {
    hint: "the service's dates cannot be trusted and its answer without dates is not whole: nothing is covered, all rows are kept",
  });
}

export function cannotBeChecked(window: OpenWindow): FillbookError {
  const message = `window ${describe(window)}: the service refuses the dates that would show whether its answer is whole`;
  return new FillbookError("incomplete", message, {
    hint: "nothing is covered, all rows are kept; if the service does not take dates as old as these, say where to begin: --from",
  });
}

export function tooOld(before: number): FillbookError {
  const day = isoTime(Math.ceil(before / DAY_MS) * DAY_MS).slice(0, 10);
  return new FillbookError(
    "incomplete",
    `the service refuses dates before about ${isoTime(before)}, however narrow the range: nothing older was read`,
    {
      hint: `if the account has nothing older, or you have it from elsewhere, say where to begin: --from ${day}`,
    },
  );
}
