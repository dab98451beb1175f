import type { Direction, OpenWindow } from "../archive/manifest.ts";
import type { TimeRange } from "../core/time.ts";
import { TIE_MS } from "./clamp-proof.ts";

/**
 * Each window is asked for with 1 ms more on both sides, so that inclusive and exclusive bounds give the same
 * rows.
 */
export const MARGIN_MS = 1;
/** Rows are close together when they fill less than this fraction of their window. */
const CLOSE = 16;
const MOST_PIECES = 8;

export function freshWindow({ from, to }: TimeRange): OpenWindow {
  return {
    from,
    to,
    dated: true,
    askFrom: from,
    askTo: to,
    cut: null,
    cursor: null,
    cursorAt: null,
    pages: 0,
    duplicates: 0,
    pagesHash: "0".repeat(64),
    lowest: null,
    highest: null,
    rawResponses: [],
  };
}

/** The same window, asked for with earlier time so that the request is `askedMs` wide. */
export function widened(window: TimeRange, askedMs: number): OpenWindow {
  return { ...freshWindow(window), askFrom: window.to - askedMs };
}

export function undatedWindow(range: TimeRange): OpenWindow {
  return { ...freshWindow(range), dated: false };
}

/** The range that is asked for with a window, margins included. ms */
export function askedBy({ askFrom, askTo }: Pick<OpenWindow, "askFrom" | "askTo">): TimeRange {
  return { from: askFrom - MARGIN_MS, to: askTo + MARGIN_MS };
}

/**
 * Divides the window of an unfinished chain by the proven order: the part that was read, and a window for the
 * rest, which begins with the millisecond of the last row. Null: no progress.
 */
export function resumePoint(window: OpenWindow, direction: Direction): { read: OpenWindow; rest: OpenWindow } | null {
  const { from, to, lowest, highest } = window;
  if (lowest === null || highest === null) {
    return null;
  }
  const edge = direction === "descending" ? lowest + 1 : highest;
  if (edge <= from || edge >= to) {
    return null;
  }
  return direction === "descending"
    ? { read: { ...window, from: edge, cut: "from" }, rest: freshWindow({ from, to: edge }) }
    : { read: { ...window, to: edge, cut: "to" }, rest: freshWindow({ from: edge, to }) };
}

/** Both halves, the newer first, cut at `at` or in the middle. Empty for a window of one millisecond. */
export function halvesOf({ from, to }: TimeRange, at: number | null = null): readonly OpenWindow[] {
  const middle = at !== null && from < at && at < to ? at : from + Math.floor((to - from) / 2);
  return from < middle ? [freshWindow({ from: middle, to }), freshWindow({ from, to: middle })] : [];
}

/**
 * The windows to ask for when an answer does not decide its window: close around its rows if they are close
 * together, else its halves.
 */
export function narrowerThan(
  window: TimeRange,
  { lowest, highest }: Pick<OpenWindow, "lowest" | "highest">,
  middle: number | null,
): readonly OpenWindow[] {
  const from = Math.max(window.from, (lowest ?? window.from) - TIE_MS);
  const to = Math.min(window.to, (highest ?? window.to) + 1 + TIE_MS);
  return from < to && to - from < (window.to - window.from) / CLOSE
    ? [freshWindow({ from, to })]
    : halvesOf(window, middle);
}

/**
 * Windows that replace one with too many unordered rows for one chain. They are cut at times of its rows,
 * newest first. Empty: the rows do not divide it.
 */
export function piecesOf({ from, to }: TimeRange, times: readonly number[]): readonly OpenWindow[] {
  const inside = [...new Set(times)].filter((time) => from < time && time < to).sort((a, b) => a - b);
  const every = Math.ceil(inside.length / MOST_PIECES);
  const edges = [from, ...inside.filter((_, index) => index % every === 0), to];
  return inside.length === 0
    ? []
    : edges
        .slice(1)
        .map((end, index) => freshWindow({ from: edges[index] ?? from, to: end }))
        .reverse();
}

/** A window's ends move when it is split. Its dates do not. */
export function nameOf({ askFrom, askTo }: Pick<OpenWindow, "askFrom" | "askTo">): string {
  return `${askFrom}-${askTo}`;
}
