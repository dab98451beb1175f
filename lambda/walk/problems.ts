import { FillbookError } from "../core/errors.ts";
import { halves, widthOf } from "../core/ranges.ts";
import { counted } from "../core/text.ts";
import { DAY_MS, HOUR_MS, isoTime, type TimeRange } from "../core/time.ts";
import { FINEST_MS } from "./question.ts";

/** What went wrong, what follows, and what people are told: what, where, and what to do. Pure. */

export interface Refusal {
  /**
   * `range`, `cursor`: the service refused the dates, or its own cursor. `ties`: a millisecond holds more rows
   * than its pages can tell apart. `row`: a row cannot be filed. `long`: too many pages for one window.
   * `endless`: pages with new cursors and nothing else. `ignored`: the service ignores the dates, or such wide ranges.
   */
  readonly why: "range" | "cursor" | "ties" | "row" | "long" | "endless" | "ignored";
  readonly detail: string;
  /** The service's own words, if it said some. */
  readonly problem?: FillbookError;
  /** The page whose row cannot be filed. */
  readonly body?: string;
}

const KEPT = "what was read is kept: run again; if it happens again, tell the service's support";

function incomplete(message: string, hint = KEPT): FillbookError {
  return new FillbookError("incomplete", message, { hint });
}

function span({ from, to }: TimeRange): string {
  return `${isoTime(from)} to ${isoTime(to)}`;
}

/** A window that could not be read. */
export function unread(window: TimeRange, { why, detail, problem }: Refusal): FillbookError {
  if (why === "row") {
    return new FillbookError("untrusted", `${span(window)}: a row cannot be filed: ${detail}`, {
      hint: "this time is not covered; the page is kept in unfiled/: tell the service's support",
    });
  }
  return incomplete(`${span(window)} could not be read: ${detail}`, problem?.hint);
}

export function refusedEverywhere(problem: FillbookError | undefined): FillbookError {
  const said = problem === undefined ? "" : `: ${problem.message}`;
  return new FillbookError("usage", `the service refuses every range of dates, even of one hour${said}`, {
    hint: "check the address, and --from and --to; if the service keeps no older fills, an export needs the positions at the first one: declare them in opening-positions.csv, with a line for market *",
  });
}

export function tooOld(window: TimeRange): FillbookError {
  const hint = `if the account has nothing older, or you have it from elsewhere, say where to begin: --from ${isoTime(window.to)}`;
  return incomplete(`the service refuses the dates ${span(window)}, however narrow the range`, hint);
}

/** `lacking`: 0: the service has more fills within milliseconds than it shows. */
export function differ(range: TimeRange, lacking: number): FillbookError {
  const what =
    lacking === 0
      ? "the service may have more fills here than one answer shows, or shows them otherwise each time"
      : `lacking now: ${counted(lacking, "fill")} that the service showed before`;
  return incomplete(`${span(range)}: ${what}`);
}

export function contradicts(times: number, answers: number): FillbookError {
  const share = `${times} of ${counted(answers, "answer")}`;
  return incomplete(`the service contradicts itself: ${share} lacked or changed what the same question then showed`);
}

export function shortens(): FillbookError {
  return incomplete(
    "the service shortens the ranges that it is asked for so far that times without a fill cannot be proved empty",
  );
}

export function ignoresDates(range: TimeRange): FillbookError {
  return incomplete(`${span(range)}: the service ignores the dates, and its two answers differ`);
}

export function tooMany(pages: number): FillbookError {
  return incomplete(`the service has been asked ${pages} times, and not all is read`);
}

/** The narrowest range that is asked for when the service refuses ranges, or rows in them, ms. */
export const NARROWEST_MS = HOUR_MS;

/** The narrowest window of each refusal, ms: it is not halved any more. */
const NARROWEST: Readonly<Record<Refusal["why"], number>> = {
  range: NARROWEST_MS,
  row: NARROWEST_MS,
  cursor: FINEST_MS,
  ties: FINEST_MS,
  long: FINEST_MS,
  endless: DAY_MS,
  ignored: DAY_MS,
};

/**
 * The halves of a window that could not be read, the older first, or its problem; `usage`: nothing more can be asked.
 * `isMet`: some range was answered. `asked`: its dates, with their margin.
 */
export function afterRefusal(window: TimeRange, refusal: Refusal, isMet: boolean, asked = window) {
  const { why, problem } = refusal;
  if (widthOf(window) > NARROWEST[why]) {
    return halves(window);
  }
  const isEverywhere = why === "range" && !isMet && widthOf(asked) < 2 * NARROWEST_MS;
  return isEverywhere ? refusedEverywhere(problem) : unread(window, refusal);
}
