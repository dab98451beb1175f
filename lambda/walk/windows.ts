import type { OpenWindow } from "../archive/manifest.ts";
import type { ArchiveSession } from "../archive/session.ts";
import type { FillbookError } from "../errors.ts";
import type { Job } from "../job.ts";
import type { Fill } from "../model/fill.ts";
import { intersection, union, width } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import { Chain } from "./chain.ts";
import type { ChainEnd, ChainPorts, Seen } from "./chain-ports.ts";
import { Coverage } from "./coverage.ts";
import type { Round } from "./crew.ts";
import { askCursors, CursorProof } from "./cursor-proof.ts";
import { DateProof } from "./date-proof.ts";
import type { Ledger } from "./ledger.ts";
import { countCutOff, type LookPorts } from "./look.ts";
import { OrderProof, provenDirection } from "./order.ts";
import { afterRefusal, cannotBeChecked, lacksKnown, refusesItsCursor, tooOld } from "./outcome.ts";
import { mostAsked, NARROW_MS } from "./plan.ts";
import { countLacking, fillsKept } from "./resume.ts";
import { chooseSplit } from "./split.ts";
import { askedBy, atEdge, piecesOf } from "./window.ts";

/** The windows of a run as they are walked: what their ends mean, and all that the run learns of the service from them. */
export class Windows {
  readonly proof: DateProof;
  readonly order: OrderProof;
  readonly coverage: Coverage;
  readonly problems: FillbookError[] = [];
  /** Refused although the service takes ranges as wide. */
  refused: readonly TimeRange[] = [];
  /** As of PlanInput. */
  refusals = 0;
  /** Not asked again in this run. */
  failed: readonly TimeRange[] = [];
  failedCount = 0;
  pages = 0;
  readonly #job: Job;
  readonly #session: ArchiveSession;
  readonly #ledger: Ledger;
  readonly #range: TimeRange;
  readonly #again: readonly TimeRange[];
  readonly #restarted = new Set<string>();
  readonly #walking = new Set<Chain>();
  readonly #cursors = new CursorProof();
  #probing: Promise<void> | null = null;
  #asking: Promise<void> | null = null;
  #wasted = 0;
  #done = 0;
  #fillsSeen = 0;

  constructor(job: Job, session: ArchiveSession, ledger: Ledger, range: TimeRange) {
    this.#job = job;
    this.#session = session;
    this.#ledger = ledger;
    this.#range = range;
    this.#again = ledger.checkpoint.again;
    this.proof = new DateProof(session.manifest.checkpoint.datesProven);
    const { order, open } = session.manifest.checkpoint;
    this.order = new OrderProof(order, { goesOn: open.length > 0 });
    this.coverage = new Coverage(ledger, this.order, range);
  }

  async walk(window: OpenWindow, round: Round): Promise<void> {
    const seen = window.evidence.length === 0 ? [] : await fillsKept(this.#job, window);
    const { falseEnds = false, shortestPage: shortest, ties } = this.#ledger.checkpoint;
    const dropsTies = ties === "dropped";
    const chain = new Chain(window, { seen, order: this.order, shortest, falseEnds, dropsTies });
    this.#walking.add(chain);
    const ports: ChainPorts = {
      reader: this.#job.reader,
      clock: this.#job.clock,
      signal: round.signal,
      emit: (segment) => this.#ledger.take(segment),
      settle: () => this.#ledger.commitWhenDue(),
      onFalseEnd: () => this.coverage.sawFalseEnd(),
      onPage: (rows, fills) => {
        this.proof.offer(fills);
        this.#probeEarly(round);
        this.#probeCursors(chain, fills, round);
        if (chain.window.dated) {
          const { acceptedMs } = this.#ledger.checkpoint.limits ?? {};
          this.coverage.learnFromPage(chain.window, fills);
          this.refusals = this.#ledger.checkpoint.limits?.acceptedMs === acceptedMs ? this.refusals : 0;
        }
        this.noteOrder(round);
        this.onPage(rows);
        round.hire();
      },
    };
    try {
      const end = await chain.run(ports);
      this.#wasted += end.kind === "ended" ? 1 - Math.min(1, chain.lastOwnRows / this.order.pageRows) : 0;
      await this.#settle(chain.window, end, round);
    } finally {
      this.#walking.delete(chain);
    }
  }

  noteOrder(round: Round | null): void {
    const { order: before } = this.#ledger.checkpoint;
    const isFoundOut = this.order.isRefuted && !before.refuted;
    // What was walked again on its strength is to be walked once more, in the very commit that takes the order back.
    this.#ledger.learn({ kind: "order", order: this.order.state });
    this.#ledger.note(isFoundOut ? { again: this.#again } : {});
    if (provenDirection(before) !== this.order.direction) {
      this.coverage.judgeAgain();
    }
    if (isFoundOut) {
      round?.abort();
    }
  }

  /** Asks what the dates filter by, and waits for the answer. */
  async probe(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#probing, this.#asking]);
    await this.proof.check(this.lookPorts(signal), (finding) => this.#ledger.learn(finding));
  }

  /** While the windows are walked that rest on it, as soon as a fill can tell. */
  #probeEarly(round: Round): void {
    if (this.#probing !== null || !this.proof.canProve || !this.#ledger.checkpoint.datesTrusted) {
      return;
    }
    const check = this.proof.check(this.lookPorts(round.signal), (finding) => {
      this.#ledger.learn(finding);
      if (finding.kind === "dates-by-another-time") {
        round.abort();
      }
    });
    // Errors are ignored here; the probe is awaited again at the end of the round.
    this.#probing = check.catch(() => undefined);
  }

  /** The same for what cursors do with the dates; its answer is read to its end, and shows whether the order holds there. */
  #probeCursors(chain: Chain, fills: readonly Fill[], round: Round): void {
    const probe = this.#cursors.offer(chain, fills, this.order, this.#ledger.checkpoint, this.#asking !== null);
    if (probe === null) {
      return;
    }
    const watch = this.order.watch();
    const asked = askCursors(this.#job.reader, round.signal, probe, (rows, newTimes) => {
      watch.take(newTimes);
      this.onPage(rows);
    });
    const settled = asked.then(
      ({ findings, isAtEnd }) => {
        if (isAtEnd) {
          watch.end();
        }
        this.noteOrder(round);
        this.#ledger.learn(...findings);
        const { datesTrusted, ties } = this.#ledger.checkpoint;
        if (!datesTrusted || ties === "dropped") {
          round.abort();
        }
      },
      () => undefined, // not known, as before
    );
    this.#asking = settled.finally(() => {
      this.#asking = null;
    });
  }

  /** A new window for an idle worker: a part of one that is being walked. Null: nothing is worth it. */
  split(): OpenWindow | null {
    const spent = { wasted: this.#wasted, pages: this.pages, workers: this.#job.concurrency };
    const split = chooseSplit(this.#walking, this.order, spent);
    if (split === null) {
      return null;
    }
    split.victim.cut(split.at);
    this.#ledger.split(split.victim.window, split.part);
    return split.part;
  }

  /** What was learned by dates that are not trusted any more is forgotten. */
  forget(): void {
    this.failed = [];
    this.refused = [];
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
        this.#refused(window, end.status, round);
        break;
      case "range-refused":
        this.#refusedRange(window, end.problem);
        break;
      case "stray":
        this.#ledger.learn({ kind: "row-from-elsewhere" });
        round.abort();
        break;
      case "failed":
        this.#fail(window, end.problem);
        break;
    }
  }

  async #finish(
    window: OpenWindow,
    { seen, how, middle, isBelieved }: Extract<ChainEnd, { kind: "ended" }>,
    round: Round,
  ): Promise<void> {
    const state = this.#ledger.stateOf(window);
    const lacking = window.dated ? 0 : await this.#countLacking(state, seen);
    if (lacking !== 0) {
      this.#fail(window, lacking === null ? cannotBeChecked(window) : lacksKnown(window, lacking));
      return;
    }
    this.#done += 1;
    this.#ledger.drop(window);
    if (!window.dated) {
      this.coverage.credit(state, { covered: window, ended: how });
      return;
    }
    if (how === "no-last" && this.#cursors.hasKept(state, this.order)) {
      this.#ledger.learn({ kind: "cursors-keep-dates" });
    }
    this.coverage.cover(state, how, { middle, isBelieved });
    if (this.coverage.isMisdated) {
      this.#ledger.learn({ kind: "dates-by-another-time" });
      round.abort();
    }
  }

  /** Fills that a whole answer without dates would have held; null: it cannot be told. */
  async #countLacking(window: OpenWindow, seen: Seen): Promise<number | null> {
    const known = await countLacking(this.#job, this.#session.calendar, window, seen);
    const { lowest, highest } = window;
    return known > 0
      ? known
      : await countCutOff(
          this.lookPorts(this.#job.signal),
          window,
          { lowest, highest, seen },
          mostAsked(this.#ledger.checkpoint.limits),
        );
  }

  /** The dates were not taken: what is planned next is narrower, or begins later. */
  #refusedRange(window: OpenWindow, problem: FillbookError): void {
    const { from, to } = askedBy(window);
    this.#ledger.drop(window);
    const { limits } = this.#ledger.checkpoint;
    if ((limits?.acceptedMs ?? 0) > 0 && window.to - window.from > mostAsked(limits)) {
      this.refused = [...this.refused, { from: window.from, to: window.to }];
      this.refusals += 1;
      return;
    }
    if (to - from <= (limits?.acceptedMs ?? 0)) {
      this.#refusedAgain(window);
      return;
    }
    if (to - from <= NARROW_MS) {
      throw problem;
    }
    this.#ledger.learn({ kind: "range-refused", range: { from, to } });
  }

  /** As wide a range was taken before: this one is too old, or has too many rows, or the refusal was a mistake. Its halves tell, the newer first. */
  #refusedAgain({ from, to }: OpenWindow): void {
    this.refused = [...this.refused, { from, to }];
    if (to - from <= NARROW_MS) {
      this.failed = union([...this.failed, { from: Math.min(from, this.#range.from), to }]);
      this.problems.push(tooOld(to));
    }
  }

  #refused(window: OpenWindow, status: number, round: Round): void {
    if (this.#goOn(window, round)) {
      return;
    }
    const name = `${window.from}-${window.to}`;
    const windows = afterRefusal(this.#ledger.stateOf(window), !this.#restarted.has(name));
    this.#restarted.add(name);
    if (windows.length === 0) {
      this.#fail(window, refusesItsCursor(window, status));
      return;
    }
    this.#replace(window, windows, round);
  }

  #replace(window: OpenWindow, windows: readonly OpenWindow[], round: Round): void {
    this.#ledger.drop(window);
    for (const next of windows) {
      this.#ledger.begin(next);
    }
    round.add(windows);
  }

  /** Where the order is proven, another chain takes over at the last row. */
  #goOn(window: OpenWindow, round: Round): boolean {
    const { direction } = this.#ledger.checkpoint.ties === "dropped" ? this.order.state : this.order;
    const edge = direction === null || !window.dated ? null : atEdge(this.#ledger.stateOf(window), direction);
    if (edge === null) {
      return false;
    }
    this.#ledger.drop(window);
    this.coverage.cover(edge.read, "order");
    this.#ledger.begin(edge.rest);
    round.add([edge.rest]);
    return true;
  }

  #fail(window: OpenWindow, problem: FillbookError): void {
    this.#ledger.fail(window);
    this.failed = union([...this.failed, window]);
    this.failedCount += 1;
    this.problems.push(problem);
  }

  /** For single requests whose rows are not filed. */
  lookPorts(signal: AbortSignal): LookPorts {
    return { reader: this.#job.reader, signal, onPage: (rows: number) => this.onPage(rows) };
  }

  onPage(rows: number): void {
    this.pages += 1;
    this.#fillsSeen += rows;
    const { requests, refused } = this.#job.reader.counts;
    const done = union([...this.#session.manifest.coverage, ...this.#ledger.finishedRanges]);
    this.#job.report({
      stage: "walking",
      windowsDone: this.#done,
      windowsOpen: this.#ledger.openCount,
      pages: this.pages,
      requests,
      refused,
      fillsSeen: this.#fillsSeen,
      covered: width(intersection(this.#range, done)) / Math.max(1, this.#range.to - this.#range.from),
    });
  }
}
