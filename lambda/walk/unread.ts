import type { RangeLimits } from "../archive/manifest.ts";
import type { FillbookError } from "../errors.ts";
import { union } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import { mostAsked, NARROW_MS } from "./plan.ts";
import { tooOld } from "./problems.ts";
import { askedBy } from "./window.ts";

type Asked = TimeRange & { readonly askFrom: number; readonly askTo: number };

/** What could not be read in a run, and why: windows that failed, and ranges that the service refused. */
export class Unread {
  readonly problems: FillbookError[] = [];
  /** Not asked again in this run. */
  failed: readonly TimeRange[] = [];
  failedCount = 0;
  /** Refused although the service takes ranges as wide. */
  refused: readonly TimeRange[] = [];
  /** As of PlanInput. */
  refusals = 0;
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

  /**
   * The dates were not taken: what is planned next is narrower, or begins later. True: because of how wide they were. Throws the problem where none can be narrower.
   */
  refuse(window: Asked, problem: FillbookError, limits: RangeLimits | undefined): boolean {
    const { from, to } = askedBy(window);
    const acceptedMs = limits?.acceptedMs ?? 0;
    if (acceptedMs > 0 && window.to - window.from > mostAsked(limits)) {
      this.#refusedAsWide(window);
      this.refusals += 1;
      return false;
    }
    if (to - from <= acceptedMs) {
      // It is too old, or has too many rows, or the refusal was a mistake. Its halves tell, the newer first.
      this.#refusedAsWide(window);
      if (to - from <= NARROW_MS) {
        this.failed = union([...this.failed, { from: Math.min(window.from, this.#beginning), to: window.to }]);
        this.problems.push(tooOld(window.to));
      }
      return false;
    }
    if (to - from <= NARROW_MS) {
      throw problem;
    }
    return true;
  }

  #refusedAsWide({ from, to }: TimeRange): void {
    this.refused = [...this.refused, { from, to }];
  }

  /** The dates by which it was asked mean something else. */
  forget(): void {
    this.failed = [];
    this.refused = [];
  }
}
