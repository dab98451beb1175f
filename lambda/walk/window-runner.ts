import type { OpenWindow } from "../archive/manifest.ts";
import { PageMemory } from "../archive/raw-responses.ts";
import type { FillbookError } from "../core/errors.ts";
import { subtract } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { RunContext } from "../job/context.ts";
import { Chain } from "./chain.ts";
import type { ChainEnd, ChainPorts, Seen } from "./chain-ports.ts";
import { Coverage } from "./coverage.ts";
import { OrderProof } from "./order.ts";
import { afterRefusal } from "./outcome.ts";
import { countCutOff } from "./probe.ts";
import { Probes } from "./probes.ts";
import { cannotBeChecked, lacksKnown, refusesItsCursor } from "./problems.ts";
import { Progress } from "./progress.ts";
import { afterRefusedDates, afterTakenDates, mostAsked } from "./refusals.ts";
import { countLacking, fillsKept, restarted } from "./resume.ts";
import { askingsNeeded } from "./silence.ts";
import { Splits } from "./split.ts";
import type { UncommittedChanges } from "./uncommitted-changes.ts";
import { Unread } from "./unread.ts";
import { askedBy, piecesOf, resumePoint } from "./window.ts";
import type { Round } from "./worker-pool.ts";

/** Walks the windows of a run, and decides what their pages and their ends mean. */
export class WindowRunner {
  readonly coverage: Coverage;
  readonly probes: Probes;
  readonly progress: Progress;
  readonly unread: Unread;
  readonly #job: RunContext;
  readonly #uncommitted: UncommittedChanges;
  readonly #splits: Splits;
  readonly #memory = new PageMemory();

  constructor(job: RunContext, uncommitted: UncommittedChanges, range: TimeRange) {
    this.#job = job;
    this.#uncommitted = uncommitted;
    this.unread = new Unread(range.from);
    const { order: known, open } = uncommitted.session.manifest.checkpoint;
    const order = new OrderProof(known, { goesOn: open.length > 0 });
    this.coverage = new Coverage(uncommitted, order, range);
    this.#splits = new Splits(order, job.concurrency);
    this.progress = new Progress(job, uncommitted, range, {
      windows: () => this.#splits.windows,
      order: () => order.state,
    });
    this.probes = new Probes(uncommitted, this.coverage, this.progress);
  }

  async walk(window: OpenWindow, round: Round): Promise<void> {
    const seen = window.rawResponses.length === 0 ? [] : await fillsKept(this.#job, window);
    const { falseEnds = false, shortestPage: shortest, ties } = this.#uncommitted.checkpoint;
    const dropsTies = ties === "dropped";
    const servesOnce = this.unread.timesEnded(window) >= askingsNeeded(falseEnds) - 1;
    const known = { order: this.coverage.order, shortest, falseEnds, servesOnce, dropsTies };
    const chain = new Chain(window, { seen, ...known, memory: this.#memory });
    this.#splits.begin(chain);
    try {
      const end = await chain.run(this.#portsOf(chain, round));
      if (end.kind === "ended") {
        this.#splits.read(chain);
        this.progress.onEnd(chain.window);
      }
      const mayLackRows = chain.rows.isShifted && (end.kind === "ended" || end.kind === "long");
      if (window.dated && mayLackRows && this.unread.mayReadAgain(chain.window)) {
        this.#replace(chain.window, [restarted(chain.window)], round);
      } else {
        await this.#settle(chain.window, end, round);
      }
    } finally {
      this.#splits.end(chain);
    }
  }

  #portsOf(chain: Chain, round: Round): ChainPorts {
    return {
      reader: this.#job.reader,
      clock: this.#job.clock,
      signal: round.signal,
      emit: (segment) => this.#uncommitted.take(segment),
      afterSegment: () => this.#uncommitted.commitWhenDue(),
      onFalseEnd: () => this.coverage.sawFalseEnd(),
      onPage: (rows, fills) => {
        this.probes.onPage(chain, fills, round);
        if (chain.window.dated) {
          const { acceptedMs } = this.#uncommitted.checkpoint.limits ?? {};
          this.coverage.learnFromPage(chain.window, fills);
          const isWidest = this.#uncommitted.checkpoint.limits?.acceptedMs !== acceptedMs;
          this.unread.refused = afterTakenDates(this.unread.refused, chain.window, isWidest);
        }
        if (this.coverage.noteOrder()) {
          round.abort();
        }
        this.progress.onPage(rows);
        round.fill();
      },
    };
  }

  /** A part of a running window for an idle worker. Null: no split is worth its cost. */
  split(): OpenWindow | null {
    const split = this.#splits.choose(this.progress.pages);
    if (split === null) {
      return null;
    }
    split.victim.cut(split.at);
    this.#uncommitted.split(split.victim.window, split.part);
    return split.part;
  }

  /** Forgets what was learned from dates that are no longer trusted. */
  forget(): void {
    this.unread.forget();
    this.coverage.forget();
  }

  async #settle(window: OpenWindow, end: ChainEnd, round: Round): Promise<void> {
    switch (end.kind) {
      case "ended":
        await this.#finish(window, end, round);
        break;
      case "long":
        if (!this.#goOn(window, round)) {
          this.#replace(window, piecesOf(window, end.times), round);
        }
        break;
      case "cursor-refused":
        this.#refusedCursor(window, end, round);
        break;
      case "range-refused":
        this.#refusedDates(window, end.problem, round);
        break;
      case "out-of-range":
        this.#uncommitted.apply({ kind: "row-from-elsewhere" });
        round.abort();
        break;
      case "failed":
        this.#fail(window, end.problem);
        break;
    }
  }

  async #finish(window: OpenWindow, end: Extract<ChainEnd, { kind: "ended" }>, round: Round): Promise<void> {
    const { seen, how, middle, isBelieved } = end;
    const state = this.#uncommitted.stateOf(window);
    const lacking = window.dated ? 0 : await this.#countLacking(state, seen);
    if (lacking !== 0) {
      this.#fail(window, lacking === null ? cannotBeChecked(window) : lacksKnown(window, lacking));
      return;
    }
    this.progress.windowsDone += 1;
    this.#uncommitted.drop(window);
    if (!window.dated) {
      this.#uncommitted.credit(state, { covered: window, ended: how });
      return;
    }
    if (how === "no-last") {
      this.probes.onEnd(state);
    }
    this.coverage.cover(state, how, { middle, isBelieved });
    if (this.coverage.silent.isMisdated) {
      this.#uncommitted.apply({ kind: "dates-by-another-time" });
      round.abort();
    }
  }

  /** The number of fills that a whole answer without dates would have held. Null: not known. */
  async #countLacking(window: OpenWindow, seen: Seen): Promise<number | null> {
    const { session, checkpoint } = this.#uncommitted;
    const { from, to, lowest, highest } = window;
    const range = { from: Math.max(from, (checkpoint.forgottenTo ?? 0) + 1), to };
    const known = await countLacking(this.#job, session.manifestIndex, range, seen);
    return known > 0
      ? known
      : await countCutOff(
          this.progress.probePorts(this.#job.signal),
          window,
          { lowest, highest, seen },
          mostAsked(checkpoint.limits),
        );
  }

  /** The next plan is narrower, or begins later. */
  #refusedDates(window: OpenWindow, problem: FillbookError, round: Round): void {
    this.#uncommitted.drop(window);
    const { limits, rechecks } = this.#uncommitted.checkpoint;
    const refusal = afterRefusedDates(window, problem, this.unread.refused, limits);
    switch (refusal.kind) {
      case "too-wide":
        this.#uncommitted.apply({ kind: "range-refused", range: askedBy(window) });
        break;
      case "narrower":
        this.unread.refused = refusal.refused;
        break;
      case "wider":
        this.#replace(window, [refusal.window], round);
        break;
      case "too-old":
        this.unread.refuseBefore(window.to, this.#uncommitted.session.manifest.coverage);
        this.#uncommitted.setCheckpoint({
          rechecks: rechecks.flatMap((one) => subtract(one, [{ from: 0, to: window.to }])),
        });
        break;
    }
  }

  #refusedCursor(
    window: OpenWindow,
    { status, isAtEnd }: Extract<ChainEnd, { kind: "cursor-refused" }>,
    round: Round,
  ): void {
    if (this.#goOn(window, round)) {
      return;
    }
    if (isAtEnd === true) {
      this.unread.endedOnce(window);
    }
    const windows = afterRefusal(this.#uncommitted.stateOf(window), isAtEnd === true || this.unread.mayRestart(window));
    if (windows.length === 0) {
      this.#fail(window, refusesItsCursor(window, status));
      return;
    }
    this.#replace(window, windows, round);
  }

  #replace(window: OpenWindow, windows: readonly OpenWindow[], round: Round): void {
    this.#uncommitted.drop(window);
    for (const next of windows) {
      this.#uncommitted.begin(next);
    }
    round.add(windows);
  }

  /** If the order is proven, another chain continues from the last row. */
  #goOn(window: OpenWindow, round: Round): boolean {
    const { order } = this.coverage;
    const { direction } = this.#uncommitted.checkpoint.ties === "dropped" && !order.isRefuted ? order.state : order;
    const edge = direction === null || !window.dated ? null : resumePoint(this.#uncommitted.stateOf(window), direction);
    if (edge === null) {
      return false;
    }
    this.#uncommitted.drop(window);
    this.coverage.cover(edge.read, "order");
    this.#uncommitted.begin(edge.rest);
    round.add([edge.rest]);
    return true;
  }

  #fail(window: OpenWindow, problem: FillbookError): void {
    this.#uncommitted.fail(window);
    this.unread.fail(window, problem);
  }
}
