import type { FillbookError } from "../errors.ts";
import { subtract, union } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import { tooOld } from "./problems.ts";
import { NOTHING_REFUSED, type Refused } from "./refusals.ts";

/** What could not be read in a run, and why. */
export class Unread {
  readonly problems: FillbookError[] = [];
  /** Not asked again in this run. */
  failed: readonly TimeRange[] = [];
  failedCount = 0;
  refused: Refused = NOTHING_REFUSED;
  readonly #beginning: number;
  readonly #restarted = new Set<string>();

  /** `beginning`: of all that is asked for, ms. */
  constructor(beginning: number) {
    this.#beginning = beginning;
  }

  /** Whether the window, whose cursor was refused, may begin again: once. */
  mayRestart({ from, to }: TimeRange): boolean {
    const before = this.#restarted.size;
    return this.#restarted.add(`${from}-${to}`).size > before;
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
