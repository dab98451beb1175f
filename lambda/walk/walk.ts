import { FencedError } from "../archive/fenced.ts";
import type { OpenWindow } from "../archive/manifest.ts";
import type { ArchiveSession } from "../archive/session.ts";
import { asFillbookError, FillbookError, StoppedError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import { holds, intersection, subtract, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { RunContext } from "../job/context.ts";
import { comesByTxCreated } from "./date-proof.ts";
import { MAX_FAILED_WINDOWS, NextWindows } from "./next-windows.ts";
import { firstLacking, NOTHING_SEEN, probeUndated } from "./probe.ts";
import { describe } from "./problems.ts";
import { progressMark } from "./progress.ts";
import { recognise } from "./recognition.ts";
import { UncommittedChanges } from "./uncommitted-changes.ts";
import { missedRow, notBroughtByDates } from "./unread.ts";
import type { WalkOutcome, WalkRequest } from "./walk-request.ts";
import { WindowRunner } from "./window-runner.ts";
import { WorkerPool } from "./worker-pool.ts";

/**
 * The walk ends after this many rounds in a row without progress. (A window that is read in halves may have
 * been covered meanwhile.)
 */
const MOST_STALLED = 3;
/** How many late fills are walked again before the dates are blamed. */
const MOST_LATE = 3;

/** Walks the part of the range that the archive lacks, several windows at once, and commits as it goes. */
export async function walkRange(job: RunContext, session: ArchiveSession, request: WalkRequest): Promise<WalkOutcome> {
  return await new Walk(job, session, request).run();
}

class Walk {
  readonly #job: RunContext;
  readonly #request: WalkRequest;
  readonly #uncommitted: UncommittedChanges;
  readonly #runner: WindowRunner;
  readonly #next: NextWindows;
  /** The ranges to be walked when the run began. */
  readonly #claimed: readonly TimeRange[];
  #isFirstRound = true;

  constructor(job: RunContext, session: ArchiveSession, request: WalkRequest) {
    this.#job = job;
    this.#request = request;
    const rechecks = request.recheck?.rechecks ?? [];
    this.#claimed = union([...subtract(request.range, session.manifest.coverage), ...rechecks]);
    this.#uncommitted = new UncommittedChanges(session, [request.range, ...rechecks]);
    this.#uncommitted.setCheckpoint(request.recheck ?? {});
    this.#runner = new WindowRunner(job, this.#uncommitted, request.range);
    this.#next = new NextWindows(job, this.#uncommitted, this.#runner, request);
  }

  async run(): Promise<WalkOutcome> {
    const { problems } = this.#runner.unread;
    try {
      await this.#rounds();
      if (await this.#isMisled()) {
        await this.#distrustDates();
        await this.#rounds();
      }
    } catch (error) {
      problems.push(asFillbookError(error));
      await this.#rescue(error);
    }
    return { pages: this.#runner.progress.pages, problems };
  }

  async #rounds(): Promise<void> {
    const stood = new Set<string>();
    let stalled = 0;
    for (let windows = await this.#next.take(); windows.length > 0; windows = await this.#next.take()) {
      if (this.#isFirstRound) {
        await this.#recognise();
      }
      await this.#round(windows);
      const mark = progressMark(this.#uncommitted, this.#runner);
      stalled = stood.has(mark) ? stalled + 1 : 0;
      stood.add(mark);
      this.#isFirstRound = false;
      if (stalled >= MOST_STALLED) {
        const { range } = this.#request;
        throw new FillbookError("incomplete", `the walk of ${describe({ ...range, dated: true })} makes no progress`, {
          hint: "what was read is kept: run again; if it happens again, the service's answers contradict each other",
        });
      }
    }
  }

  async #recognise(): Promise<void> {
    const { range, recheck } = this.#request;
    const ports = this.#runner.progress.probePorts(this.#job.signal);
    const forgottenTo = await recognise({
      lookBack: intersection({ from: range.to - this.#job.lookBackMs, to: range.to }, recheck?.rechecks ?? []),
      session: this.#uncommitted.session,
      ask: (fill, reachMs) => comesByTxCreated(ports, fill, reachMs),
      askUndated: async () => (await probeUndated(ports)).fills,
    });
    this.#uncommitted.setCheckpoint(forgottenTo === null ? {} : { forgottenTo });
  }

  /**
   * True when dates have hidden fills: a page without dates shows a missing fill, or fills that do not come
   * by their own times. Fills that came by dates are poor probes, because those of a narrow window came only
   * if their two times agree. Once a fill has proven the dates, only this run's ranges are compared.
   */
  async #isMisled(): Promise<boolean> {
    const { datesTrusted, datesProven } = this.#uncommitted.checkpoint;
    if (!datesTrusted || (datesProven && this.#claimed.length === 0)) {
      return false;
    }
    // A fill that has not settled may be shown before its dates bring it.
    const settled = this.#job.clock.now() - this.#job.settleLagMs;
    const look = () => probeUndated(this.#runner.progress.probePorts(this.#job.signal), settled);
    const { fills, unfilable } = await this.#unlessAway(look, NOTHING_SEEN);
    const claimed = datesProven ? this.#claimed : [this.#request.range];
    const missed = missedRow(unfilable, this.#runner.unread, claimed);
    if (missed !== null) {
      throw notBroughtByDates(this.#uncommitted, claimed, missed);
    }
    const looked = datesProven ? fills.filter(({ txCreated }) => holds(claimed, txCreated)) : fills;
    for (let tried = 0; ; tried += 1) {
      const lacking = await firstLacking(this.#uncommitted.session, looked);
      if (lacking === null) {
        break;
      }
      if (tried === MOST_LATE || !(await this.#walkedAgain(lacking))) {
        return true;
      }
    }
    await this.#runner.probes.settleBy(
      fills.filter(({ txCreated }) => txCreated < settled),
      this.#job.signal,
    );
    return !this.#uncommitted.checkpoint.datesTrusted;
  }

  /**
   * Covered time lacks this fill: it came late, or was left out once. If it comes by its own time, that time
   * is walked again. False: it does not come.
   */
  async #walkedAgain(fill: Fill): Promise<boolean> {
    const { txCreated } = fill;
    if ((await comesByTxCreated(this.#runner.progress.probePorts(this.#job.signal), fill)) === "never") {
      return false;
    }
    const { silent } = this.#runner.coverage;
    if (silent.isAssumed([txCreated])) {
      silent.sawClamp();
    }
    this.#uncommitted.doubt([{ from: txCreated, to: txCreated + 1 }]);
    await this.#uncommitted.commit();
    await this.#rounds();
    return true;
  }

  /** Ignores a missing address or token when everything is already covered. */
  async #unlessAway<T>(ask: () => Promise<T>, nothing: T): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (this.#isFirstRound && error instanceof FillbookError && error.kind === "usage") {
        return nothing;
      }
      throw error;
    }
  }

  /** Keeps what was read, however the run ended, unless another run owns the archive now. */
  async #rescue(error: unknown): Promise<void> {
    if (error instanceof FencedError) {
      return;
    }
    try {
      await this.#uncommitted.commit();
    } catch (second) {
      this.#runner.unread.problems.push(asFillbookError(second));
    }
  }

  async #round(windows: readonly OpenWindow[]): Promise<void> {
    const { datesTrusted } = this.#uncommitted.checkpoint;
    const abort = new AbortController();
    const signal = AbortSignal.any([this.#job.signal, abort.signal]);
    this.#uncommitted.beginOnly(windows, this.#runner.coverage.undecided);
    const round = {
      signal,
      abort: () => abort.abort(),
      add: (more: readonly OpenWindow[]) => pool.add(more),
      fill: () => pool.fill(),
    };
    const pool = new WorkerPool(
      {
        workers: this.#job.concurrency,
        signal,
        hasRoom: () => this.#job.reader.hasRoom(),
        split: () => this.#runner.split(),
        walk: async (window) => {
          await this.#runner.walk(window, round);
          if (this.#runner.unread.failedCount >= MAX_FAILED_WINDOWS) {
            pool.stop();
          }
          await this.#uncommitted.commitWhenDue();
        },
        failed: round.abort,
      },
      windows,
    );
    const errors = await pool.run();
    await this.#closeRound(errors, datesTrusted);
  }

  async #closeRound(errors: readonly unknown[], trustedDates: boolean): Promise<void> {
    const fatal = errors.find((error) => !(error instanceof StoppedError));
    if (fatal !== undefined) {
      throw fatal;
    }
    if (this.#job.signal.aborted) {
      throw new StoppedError();
    }
    if (this.#uncommitted.checkpoint.datesTrusted) {
      await this.#runner.probes.settle(this.#job.signal);
    }
    if (trustedDates && !this.#uncommitted.checkpoint.datesTrusted) {
      await this.#distrustDates();
    } else {
      // This may be the run's last commit; then it is one write with the release of the lease.
      await this.#uncommitted.commit("soon");
    }
  }

  async #distrustDates(): Promise<void> {
    this.#uncommitted.apply({ kind: "dates-by-another-time" });
    this.#runner.forget();
    await this.#uncommitted.commit();
  }
}
