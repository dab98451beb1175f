import type { OpenWindow } from "../archive/manifest.ts";
import { FillbookError } from "../errors.ts";
import type { TimeRange } from "../model/time.ts";
import { describe } from "./chain.ts";
import { coveredBy, provenWidth } from "./cover.ts";
import { CLAMP_FLOOR_MS, freshWindow, MARGIN_MS, safeWidth } from "./plan.ts";
import { restarted } from "./resume.ts";

/** What the finished chain of a window that was asked with dates shows. */
export interface Finding {
  /** The part of the window that counts; null: none. */
  readonly covered: TimeRange | null;
  readonly provenMs: number;
  /** It was asked wider than is proven, along with a known fill, and answered nothing older. */
  readonly isBarren: boolean;
}

/** `knownMs`: the widest width that was proven before. */
export function findingOf(window: OpenWindow, knownMs: number): Finding {
  const { lowest, highest } = window;
  const span = { askFrom: window.from - MARGIN_MS, askTo: window.askTo + MARGIN_MS, lowest, highest };
  const provenMs = Math.max(knownMs, provenWidth(span));
  const isGrowth = window.to - window.from > safeWidth(provenMs);
  return {
    // The narrowest clamp may have exclusive ends: a whole day of it holds a millisecond less.
    covered: coveredBy(window, span, Math.max(provenMs, CLAMP_FLOOR_MS - MARGIN_MS)),
    provenMs,
    isBarren: isGrowth && (lowest === null || lowest >= window.to),
  };
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
