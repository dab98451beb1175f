import type { OpenWindow } from "../archive/manifest.ts";
import { FillbookError } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import { DAY_MS, isoTime } from "../core/time.ts";
import type { PageRow } from "../service/service.ts";

/** Says why a window could not be read, and what to do about it. */

export function describe({ from, to, dated }: Pick<OpenWindow, "from" | "to" | "dated">): string {
  return `[${isoTime(from)}, ${isoTime(to)})${dated ? "" : ", asked without dates"}`;
}

export function rowCannotBeFiled(window: OpenWindow, row: number, reason: string): FillbookError {
  return new FillbookError(
    "untrusted",
    `window ${describe(window)}: page ${window.pages}, row ${row} cannot be filed: ${reason}`,
    { hint: "the window is not covered; the page is kept among the raw responses (pages/)" },
  );
}

export function cannotBeRead(window: OpenWindow, reason: string): FillbookError {
  return new FillbookError("incomplete", `window ${describe(window)}: ${reason}`, {
    hint: "the window is not covered and its rows are kept; run again, and report it to the service if it happens again",
  });
}

export function refusesItsCursor(window: OpenWindow, status: number): FillbookError {
  const message = `window ${describe(window)}: the service refuses its own cursor (${status}), and no smaller window helps`;
  return new FillbookError("incomplete", message, { hint: "run again; its rows so far are kept" });
}

export function lacksKnown(window: OpenWindow, lacking: number): FillbookError {
  const message = `window ${describe(window)}: the answer lacks ${counted(lacking, "fill")} that other answers held`;
  return new FillbookError("incomplete", message, {
    hint: "the service's dates cannot be trusted and its answer without dates is not complete: nothing is covered, all rows are kept; if the service has withdrawn these fills or no longer shows fills that old: fillbook sync --rebind",
  });
}

export function cannotBeChecked(window: OpenWindow): FillbookError {
  const message = `window ${describe(window)}: the service refuses the dates, or a cursor, of pages that would show whether its answer is complete`;
  return new FillbookError("incomplete", message, {
    hint: "nothing is covered, all rows are kept; if the service does not accept dates this old, say where to begin with --from",
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

/** The clocks of the service and of this machine may differ by this much. A later time is wrong. */
const MOST_AHEAD_MS = DAY_MS;

/** Why a row cannot be filed; null: it can be. `now`: ms UTC. */
export function whyNotFiled(row: PageRow, now: number): string | null {
  if ("unfilable" in row) {
    return row.unfilable;
  }
  const { txCreated } = row.fill;
  return txCreated > now + MOST_AHEAD_MS ? `txCreated is ${isoTime(txCreated)}, which is in the future` : null;
}
