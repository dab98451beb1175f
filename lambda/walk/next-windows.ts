import type { OpenWindow } from "../archive/manifest.ts";
import { covers, subtract, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { RunContext } from "../job/context.ts";
import { gapsOf, NEIGHBOURS, planRound } from "./plan.ts";
import { refusedIn } from "./refusals.ts";
import { ageOf, restarted } from "./resume.ts";
import type { UncommittedChanges } from "./uncommitted-changes.ts";
import type { WalkRequest } from "./walk-request.ts";
import { nameOf, resumePoint } from "./window.ts";
import type { WindowRunner } from "./window-runner.ts";

/** If this many windows cannot be read, it is no accident: the run ends instead of asking on. */
export const MAX_FAILED_WINDOWS = 8;
/**
 * A window that was meant to be split by an order that does not hold is kept only if more pages were read.
 */
const FEW_PAGES = 8;

/** Chooses the windows that a run walks next: the part of its range that is still missing. */
export class NextWindows {
  readonly #job: RunContext;
  readonly #uncommitted: UncommittedChanges;
  readonly #runner: WindowRunner;
  readonly #request: WalkRequest;

  constructor(job: RunContext, uncommitted: UncommittedChanges, runner: WindowRunner, request: WalkRequest) {
    this.#job = job;
    this.#uncommitted = uncommitted;
    this.#runner = runner;
    this.#request = request;
  }

  /** The next windows: those left open, else newly planned ones, else the halves of undecided ones. */
  async take(): Promise<OpenWindow[]> {
    if (this.#runner.unread.failedCount >= MAX_FAILED_WINDOWS) {
      return [];
    }
    const left = this.#leftOpen();
    if (left.length > 0) {
      return left;
    }
    const gaps = this.#gaps();
    const undecided = union(this.#runner.coverage.undecided);
    const decided = gaps.flatMap((gap) => subtract(gap, undecided));
    if (decided.length === 0 && gaps.length > 0) {
      return [...this.#runner.coverage.takeUndecided()];
    }
    return await this.#planned(decided);
  }

  async #planned(gaps: readonly TimeRange[]): Promise<OpenWindow[]> {
    const { checkpoint } = this.#uncommitted;
    const silence = this.#runner.coverage.silent.heard;
    const { range } = this.#request;
    const top = gaps.at(-1)?.to;
    const near = top === undefined ? [] : await this.#uncommitted.session.manifestIndex.nearestWindows(top, NEIGHBOURS);
    const workers = this.#job.concurrency;
    const refused = refusedIn(this.#runner.unread.refused, gaps);
    return planRound({ gaps, rechecks: checkpoint.rechecks, range, refused, silence, near, checkpoint, workers });
  }

  #gaps(): TimeRange[] {
    const { range } = this.#request;
    const rechecks = this.#request.recheck === null ? [] : this.#uncommitted.checkpoint.rechecks;
    return gapsOf({
      range,
      coverage: this.#uncommitted.session.manifest.coverage,
      failed: this.#runner.unread.failed,
      rechecks,
    });
  }

  /**
   * Windows that an earlier run or round left, if they are still wanted and depend on nothing that was
   * refuted.
   */
  #leftOpen(): OpenWindow[] {
    const gaps = this.#gaps();
    const { datesTrusted } = this.#uncommitted.checkpoint;
    const undecided = this.#runner.coverage.undecided.map(nameOf);
    return this.#uncommitted.session.manifest.checkpoint.open
      .filter((window) => window.dated === datesTrusted && covers(gaps, window))
      .filter((window) => !(this.#isSpeculative(window) || undecided.includes(nameOf(window))))
      .map((window) => this.#resumed(window));
  }

  /** True when the window depends on an order that does not hold, and little of it has been read. */
  #isSpeculative({ dated, from, to, askFrom, askTo, pages }: OpenWindow): boolean {
    const asksMore = askFrom !== from || askTo !== to;
    return dated && this.#runner.coverage.order.isRefuted && (asksMore || pages <= FEW_PAGES);
  }

  /** Continues by the cursor; else from the last row, where the order is proven; else from the beginning. */
  #resumed(window: OpenWindow): OpenWindow {
    if (this.#isOlderThanLookBack(window)) {
      return restarted(window);
    }
    const { ties } = this.#uncommitted.checkpoint;
    const age = ties === "dropped" && window.pages > 0 ? "dead" : ageOf(window, this.#job.clock.now());
    if (age === "young") {
      return window;
    }
    const { direction } = this.#runner.coverage.order;
    const edge = direction === null || !window.dated || ties === "dropped" ? null : resumePoint(window, direction);
    if (edge !== null) {
      this.#runner.coverage.cover(edge.read, "order");
      return edge.rest;
    }
    return age === "old" ? window : restarted(window);
  }

  /** Pages of an earlier run do not show what this run's look-back must have seen. */
  #isOlderThanLookBack({ pages, to }: OpenWindow): boolean {
    const { range, recheck } = this.#request;
    const { lookedBackAt } = this.#uncommitted.session.manifest.checkpoint;
    const looksBack = recheck !== null && recheck.lookedBackAt !== lookedBackAt;
    return looksBack && pages > 0 && to > range.to - this.#job.lookBackMs;
  }
}
