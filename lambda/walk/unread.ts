import type { FillbookError } from "../core/errors.ts";
import { holds, subtract, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Unfilable } from "./probe.ts";
import { rowCannotBeFiled, tooOld } from "./problems.ts";
import { NOTHING_REFUSED, type Refused } from "./refusals.ts";
import type { UncommittedChanges } from "./uncommitted-changes.ts";
import { WaitingSegment } from "./waiting-segment.ts";
import { undatedWindow } from "./window.ts";

/** So often a window is read whose rows shift while it is: what one reading leaves out, another brings. */
const READINGS = 3;

/** What could not be read in a run, and why. */
export class Unread {
  readonly problems: FillbookError[] = [];
  /** Not asked again in this run. */
  failed: readonly TimeRange[] = [];
  failedCount = 0;
  refused: Refused = NOTHING_REFUSED;
  readonly #beginning: number;
  readonly #restarted = new Set<string>();
  readonly #readings = new Map<string, number>();
  /** How often windows were read to an end that could not be asked for again. */
  readonly #ends = new Map<string, number>();

  /** `beginning`: of all that is asked for, ms. */
  constructor(beginning: number) {
    this.#beginning = beginning;
  }

  /** Whether the window, whose cursor was refused, may begin again: once. */
  mayRestart(window: TimeRange): boolean {
    const before = this.#restarted.size;
    return this.#restarted.add(rangeName(window)).size > before;
  }

  /** Whether the window, whose rows have shifted, is to be read once more. */
  mayReadAgain(window: TimeRange): boolean {
    const readings = (this.#readings.get(rangeName(window)) ?? 0) + 1;
    this.#readings.set(rangeName(window), readings);
    return readings < READINGS;
  }

  /** The window was read to its end, and could not be asked for that again. */
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

  /** The service does not take dates before `time`: a problem where not all of that is covered. */
  refuseBefore(time: number, coverage: readonly TimeRange[]): void {
    this.failed = union([...this.failed, { from: 0, to: time }]);
    if (this.#beginning < time && subtract({ from: this.#beginning, to: time }, coverage).length > 0) {
      this.problems.push(tooOld(time));
    }
  }

  /** The dates by which it was asked mean something else. */
  forget(): void {
    this.failed = [];
    this.refused = NOTHING_REFUSED;
  }
}

function rangeName({ from, to }: TimeRange): string {
  return `${from}-${to}`;
}

/**
 * The first row of the page without dates that cannot be filed and that no window has shown; null: there is none. One whose time is known is missed where the run
 * claims its time (`claimed`), and has read it. Where it is not known, or has not been, a window of this run that failed may have shown it.
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
 * A row that no window has shown: its time is not covered, or nothing of what the run claims where that is not known. A time that has not been is claimed by nobody. Its
 * page is kept.
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
