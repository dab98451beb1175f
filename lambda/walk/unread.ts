import type { FillbookError } from "../core/errors.ts";
import { holds, subtract, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Unfilable } from "./probe.ts";
import { rowCannotBeFiled, tooOld } from "./problems.ts";
import { NOTHING_REFUSED, type Refused } from "./refusals.ts";
import type { UncommittedChanges } from "./uncommitted-changes.ts";
import { WaitingSegment } from "./waiting-segment.ts";
import { undatedWindow } from "./window.ts";

/** How often a window is read whose rows shift meanwhile. One reading brings what another leaves out. */
const READINGS = 3;

/** Keeps what a run could not read, and why. */
export class Unread {
  readonly problems: FillbookError[] = [];
  /** Ranges that are not asked for again in this run. */
  failed: readonly TimeRange[] = [];
  failedCount = 0;
  refused: Refused = NOTHING_REFUSED;
  readonly #beginning: number;
  readonly #restarted = new Set<string>();
  readonly #readings = new Map<string, number>();
  /** How often each window was read to an end that could not be asked for again. */
  readonly #ends = new Map<string, number>();

  /** `beginning`: the first time of the run's range, ms. */
  constructor(beginning: number) {
    this.#beginning = beginning;
  }

  /** Whether a window whose cursor was refused may begin again. Once. */
  mayRestart(window: TimeRange): boolean {
    const before = this.#restarted.size;
    return this.#restarted.add(rangeName(window)).size > before;
  }

  /** Whether a window whose rows have shifted is read once more. */
  mayReadAgain(window: TimeRange): boolean {
    const readings = (this.#readings.get(rangeName(window)) ?? 0) + 1;
    this.#readings.set(rangeName(window), readings);
    return readings < READINGS;
  }

  /** The window was read to an end that could not be asked for again. */
  endedOnce(window: TimeRange): void {
    this.#ends.set(rangeName(window), this.timesEnded(window) + 1);
  }

  timesEnded(window: TimeRange): number {
    return this.#ends.get(rangeName(window)) ?? 0;
  }

  fail(window: TimeRange, problem: FillbookError): void {
    this.failed = union([...this.failed, { from: window.from, to: window.to }]);
    this.failedCount += 1;
    this.problems.push(problem);
  }

  /** The service refuses dates before `time`. That is a problem unless all of it is covered. */
  refuseBefore(time: number, coverage: readonly TimeRange[]): void {
    this.failed = union([...this.failed, { from: 0, to: time }]);
    if (this.#beginning < time && subtract({ from: this.#beginning, to: time }, coverage).length > 0) {
      this.problems.push(tooOld(time));
    }
  }

  /** Forgets everything, because the dates mean something else than assumed. */
  forget(): void {
    this.failed = [];
    this.refused = NOTHING_REFUSED;
  }
}

function rangeName({ from, to }: TimeRange): string {
  return `${from}-${to}`;
}

/**
 * The first row of the page without dates that cannot be filed and that no window has shown; null: none. A
 * row with a known time is missed if the run has read and claims (`claimed`) that time. A row with an unknown
 * or future time may have been shown by a failed window of this run.
 */
export function missedRow(
  rows: readonly Unfilable[],
  { problems, failed }: Pick<Unread, "problems" | "failed">,
  claimed: readonly TimeRange[],
): Unfilable | null {
  const isShown = problems.some(({ kind }) => kind === "untrusted");
  const isMissed = ({ at, isAhead }: Unfilable) =>
    at === null || isAhead ? !isShown : holds(claimed, at) && !holds(failed, at);
  return rows.find(isMissed) ?? null;
}

/**
 * The problem of a row that no window has shown. Its time is not covered; if its time is unknown, nothing
 * that the run claims is. A future time is claimed by nobody. The page is kept.
 */
export function notBroughtByDates(
  uncommitted: UncommittedChanges,
  claimed: readonly TimeRange[],
  { row, reason, at, body }: Unfilable,
): FillbookError {
  const uncovered = at === null ? claimed : [{ from: at, to: at + 1 }];
  const before = undatedWindow({ from: uncovered[0]?.from ?? 0, to: uncovered.at(-1)?.to ?? 0 });
  const window = { ...before, pages: 1 };
  const segment = new WaitingSegment(before);
  segment.addPage({ request: {}, body });
  segment.handOver((one) => uncommitted.take(one), window);
  uncommitted.fail(window);
  uncommitted.uncover(uncovered);
  return rowCannotBeFiled(window, row, reason);
}
