import { FillbookError } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import type { PageRow } from "../formats/row.ts";

/** What went wrong, for people: what, where, and what to do. */

export interface Refusal {
  /**
   * `range`, `cursor`: the service refused the dates, or its own cursor. `ties`: a millisecond holds more rows
   * than its pages can tell apart. `row`: a row cannot be filed. `long`: too many pages for one window.
   * `endless`: pages with new cursors and nothing else. `ignored`: the service ignores the dates.
   */
  readonly why: "range" | "cursor" | "ties" | "row" | "long" | "endless" | "ignored";
  readonly detail: string;
  /** The service's own words, if it said some. */
  readonly problem?: FillbookError;
  /** The page whose row cannot be filed. */
  readonly body?: string;
}

const KEPT = "what was read is kept: run again; if it happens again, tell the service's support";

function span({ from, to }: TimeRange): string {
  return `${isoTime(from)} to ${isoTime(to)}`;
}

/** Why a row cannot be filed; null: it can be. `latest`: later times are wrong, ms UTC. */
export function unfilable(row: PageRow, latest: number): string | null {
  if ("unfilable" in row) {
    return row.unfilable;
  }
  const { txCreated } = row.fill;
  return txCreated > latest ? `txCreated is ${isoTime(txCreated)}, which is in the future` : null;
}

/** A window that could not be read. */
export function unread(window: TimeRange, { why, detail, problem }: Refusal): FillbookError {
  if (why === "row") {
    return new FillbookError("untrusted", `${span(window)}: a row cannot be filed: ${detail}`, {
      hint: "this time is not covered; the page is kept in unfiled/: tell the service's support",
    });
  }
  return new FillbookError("incomplete", `${span(window)} could not be read: ${detail}`, {
    hint: problem?.hint ?? KEPT,
  });
}

export function refusedEverywhere(problem: FillbookError | undefined): FillbookError {
  const said = problem === undefined ? "" : `: ${problem.message}`;
  return new FillbookError("usage", `the service refuses every range of dates, even of one hour${said}`, {
    hint: "check the address, and --from and --to",
  });
}

export function tooOld(window: TimeRange): FillbookError {
  return new FillbookError("incomplete", `the service refuses the dates ${span(window)}, however narrow the range`, {
    hint: `if the account has nothing older, or you have it from elsewhere, say where to begin: --from ${isoTime(window.to)}`,
  });
}

/** `lacking`: 0: the service has more fills within milliseconds than it shows. */
export function differ(range: TimeRange, lacking: number): FillbookError {
  const verb = lacking === 1 ? "is" : "are";
  const what =
    lacking === 0
      ? "the service may have more fills here than one answer shows"
      : `${counted(lacking, "fill")} that the service showed before ${verb} lacking now`;
  return new FillbookError("incomplete", `${span(range)}: ${what}`, { hint: KEPT });
}

export function contradicts(times: number, answers: number): FillbookError {
  return new FillbookError(
    "incomplete",
    `the service contradicts itself: ${times} of ${counted(answers, "answer")} lacked fills that the same question then showed`,
    { hint: "what was read is kept: run again later" },
  );
}

export function shortens(): FillbookError {
  return new FillbookError(
    "incomplete",
    "the service shortens the ranges that it is asked for so far that times without a fill cannot be proved empty",
    { hint: KEPT },
  );
}

export function ignoresDates(range: TimeRange): FillbookError {
  return new FillbookError("incomplete", `${span(range)}: the service ignores the dates, and its two answers differ`, {
    hint: KEPT,
  });
}

export function tooMany(pages: number): FillbookError {
  return new FillbookError("incomplete", `the service has been asked ${pages} times, and its answers still differ`, {
    hint: KEPT,
  });
}

export function unknownTrader(newest: readonly number[]): FillbookError {
  const until = Math.max(...newest);
  return new FillbookError(
    "untrusted",
    `the service does not show the archive's newest fills (${newest.length} up to ${isoTime(until)}) at their own times: nothing was filed`,
    {
      hint: "check whose token this is: another trader's fills need another --account or --store; if it is yours, and the service has lost or replaced these fills: fillbook sync --rebind",
    },
  );
}
