import { DAY_MS, type TimeRange } from "../core/time.ts";
import type { Ledger } from "./ledger.ts";

/** The next question of the second reading: from a known fill to a known fill. Pure. */

/** A range that is asked for by dates alone, both ends included. */
export interface Question extends TimeRange {
  /** How often it was asked in vain. */
  readonly tried: number;
  /** The known fills that the last answer lacked. Null: it was not asked, or the answer lacked none. */
  readonly lacked: ReadonlySet<string> | null;
  /** The margin with which they were lacking, ms. */
  readonly margin: number | null;
}

export function freshQuestion({ from, to }: TimeRange): Question {
  return { from, to, tried: 0, lacked: null, margin: null };
}

/** Widths of silence that are tried, ms. */
export const WIDTHS: readonly number[] = [28, 6.5, 2.9, 0.95, 0.2].map((days) => days * DAY_MS);
const [WIDEST, WIDEST_OF_LATE] = WIDTHS as [number, number];
/** Older silence is asked in pieces as wide as WIDEST. */
const LATE_MS = 3 * 365 * DAY_MS;
/** The share of a page that a question should fill: hidden fills must still fit on it. */
const FILLED = 0.75;

/** How wide silence without a fill at both its ends may be asked, ms. `measured`: what the service has shown. */
export function believedAt(time: number, measured: number | null, now: number): number {
  return Math.min(measured ?? WIDEST, time > now - LATE_MS ? WIDEST_OF_LATE : WIDEST);
}

/**
 * Cuts the next question off a range: three quarters of a page of known fills. Without a known fill at one of
 * its ends it is no wider than `believed`.
 */
export function nextQuestion(
  range: TimeRange,
  ledger: Ledger,
  { page, believed }: { readonly page: number; readonly believed: number },
): { readonly question: Question; readonly rest: TimeRange | null } {
  const step = Math.max(1, Math.floor(page * FILLED));
  let at = ledger.timeAt(ledger.placeOf(range.from) + step) ?? range.to;
  at = at <= range.from || at > range.to ? range.to : at;
  if (at - range.from > believed && !(ledger.has(range.from) && ledger.has(at))) {
    const first = ledger.timeAt(ledger.placeOf(range.from));
    const isSilent = first === null || first > range.from + believed;
    at = ledger.has(range.from) || isSilent ? Math.floor(range.from + believed) : first;
  }
  const rest = at < range.to ? { from: at, to: range.to } : null;
  return { question: freshQuestion({ from: range.from, to: at }), rest };
}
