import type { OpenWindow, Proven } from "../archive/manifest.ts";
import { FillbookError } from "../errors.ts";
import type { TimeRange } from "../model/time.ts";
import { describe } from "./chain.ts";
import { type ChainSpan, coveredBy, provenBy, widestOf } from "./cover.ts";
import { CLAMP_FLOOR_MS, freshWindow, MARGIN_MS, safeWidth } from "./plan.ts";
import { restarted } from "./resume.ts";

/** What the rows of a chain cover of its window, ms of `txCreated`; null: nothing. */
export function coverageOf(window: OpenWindow, proven: Proven): TimeRange | null {
  // The narrowest clamp may have exclusive ends: a whole day of it holds a millisecond less.
  const floor = CLAMP_FLOOR_MS - MARGIN_MS;
  return coveredBy(window, spanOf(window), widestOf(proven, { keepingEnd: floor, keepingBeginning: floor }));
}

/** The widths that the rows of a chain prove, ended or not. */
export function provenOf(window: OpenWindow): Proven {
  return provenBy(spanOf(window));
}

/** Whether it was asked wider than is proven, along with a known fill, and answered nothing older. */
export function isBarren({ from, to, lowest }: OpenWindow, proven: Proven): boolean {
  return to - from > safeWidth(proven) && (lowest === null || lowest >= to);
}

function spanOf({ askFrom, askTo, lowest, highest }: OpenWindow): ChainSpan {
  return { askFrom: askFrom - MARGIN_MS, askTo: askTo + MARGIN_MS, lowest, highest };
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
  if (!window.dated || isEmpty || window.to - window.from < 2) {
    return [];
  }
  const middle = window.from + Math.floor((window.to - window.from) / 2);
  return [freshWindow({ from: middle, to: window.to }), freshWindow({ from: window.from, to: middle })];
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
