import type { Ended, OpenWindow, Proven } from "../archive/manifest.ts";
import type { ArchiveSession } from "../archive/session.ts";
import type { FillbookError } from "../errors.ts";
import type { Job } from "../job.ts";
import type { Fill } from "../model/fill.ts";
import { intersection, subtract, union, width } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import { Chain, type ChainEnd, type ChainPorts, type Seen } from "./chain.ts";
import { widestOf } from "./cover.ts";
import type { Round } from "./crew.ts";
import { askCursors, CursorProof } from "./cursor-proof.ts";
import { DateProof } from "./date-proof.ts";
import type { Ledger } from "./ledger.ts";
import { countCutOff } from "./look.ts";
import { OrderProof } from "./order.ts";
import { afterRefusal, coverageOf, isBarren, lacksKnown, provenOf, refusesItsCursor } from "./outcome.ts";
import { atEdge, freshWindow } from "./plan.ts";
import { countLacking, fillsKept } from "./resume.ts";
import { chooseSplit } from "./split.ts";

/** A window whose chain has ended, and of which not everything counts by what is known now. */
interface Uncertain {
  readonly window: OpenWindow;
  readonly how: Ended;
  readonly covered: TimeRange | null;
}

/** The windows of a run as they are walked: what their ends mean, and all that the run learns of the service from them. */
export class Windows {
  readonly proof: DateProof;
  readonly order: OrderProof;
  readonly problems: FillbookError[] = [];
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
  #uncertain: readonly Uncertain[] = [];
  readonly #cursors: CursorProof;
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
    const { cursorsProven, order, open } = session.manifest.checkpoint;
    this.#cursors = new CursorProof(cursorsProven);
    this.order = new OrderProof(order, { goesOn: open.length > 0 });
  }

  async walk(window: OpenWindow, round: Round): Promise<void> {
    const seen = window.evidence.length === 0 ? [] : await fillsKept(this.#job, window);
    const chain = new Chain(window, { seen, order: this.order });
    this.#walking.add(chain);
    const ports: ChainPorts = {
      ...this.chainPorts(round.signal),
      emit: (segment) => this.#ledger.take(segment),
      settle: () => this.#ledger.commitWhenDue(),
      onPage: (rows, fills) => {
        this.proof.offer(fills);
        this.#probeEarly(round);
        this.#probeCursors(chain, fills, round);
        if (chain.window.dated && chain.window.pages === 1) {
          this.#firstPage(chain, round);
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
    const isFoundOut = this.order.isRefuted && !this.#ledger.checkpoint.order.refuted;
    // What was walked again on its strength is to be walked once more, in the very commit that takes the order back.
    this.#ledger.note({ order: this.order.state, ...(isFoundOut ? { again: this.#again } : {}) });
    if (isFoundOut) {
      round?.abort();
    }
  }

  /** Asks what the dates filter by, and waits for the answer. */
  async probe(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#probing, this.#asking]);
    await this.proof.check(this.chainPorts(signal), (finding) => this.#ledger.note(finding));
  }

  /** While the windows are walked that rest on it, as soon as a fill can tell. */
  #probeEarly(round: Round): void {
    if (this.#probing !== null || !this.proof.canProve || !this.#ledger.checkpoint.datesTrusted) {
      return;
    }
    const check = this.proof.check(this.chainPorts(round.signal), (finding) => {
      this.#ledger.note(finding);
      if (finding.datesTrusted === false) {
        round.abort();
      }
    });
    // What goes wrong goes wrong again at the end of the round, where it is waited for.
    this.#probing = check.catch(() => undefined);
  }

  /** The same for what cursors do with the dates. */
  #probeCursors(chain: Chain, fills: readonly Fill[], round: Round): void {
    const times = fills.map(({ txCreated }) => txCreated);
    const window = this.#cursors.offer(chain, times, this.order);
    if (window === null) {
      return;
    }
    const asked = askCursors(this.#job.reader, round.signal, window, (rows) => this.onPage(rows));
    this.#asking = asked.then(
      (answer) => {
        if (answer === "forgotten") {
          this.#ledger.note({ datesTrusted: false });
          round.abort();
        } else if (answer === "kept") {
          this.#ledger.note({ cursorsProven: true });
        }
      },
      () => undefined, // not known, as before
    );
  }

  /** The stretch before the first row of the widest window is asked for at once, not when all else is done. */
  #firstPage(chain: Chain, round: Round): void {
    this.learn(provenOf(chain.window));
    const covered = coverageOf(chain.window, this.#ledger.checkpoint.proven);
    const mayTrim = !(chain.isDone || this.order.isRefuted);
    const rest = mayTrim && covered !== null ? chain.trim(covered) : null;
    if (rest !== null) {
      const part = freshWindow(rest);
      this.#ledger.split(chain.window, part);
      round.add([part]);
    }
  }

  /** A new window for an idle worker: a part of one that is being walked, or what no chain will show to be empty. Null: nothing is worth it. */
  split(): OpenWindow | null {
    const spent = { wasted: this.#wasted, pages: this.pages, workers: this.#job.concurrency };
    const split = chooseSplit(this.#walking, this.order, spent);
    if (split === null) {
      return this.#hopeless();
    }
    split.victim.cut(split.at);
    this.#ledger.split(split.victim.window, split.part);
    return split.part;
  }

  /** Rows that came by a cursor prove nothing while it may forget the dates; those of the first page were counted when they came. */
  #learnFrom(window: OpenWindow): void {
    if (this.#ledger.checkpoint.cursorsProven) {
      this.learn(provenOf(window));
    }
  }

  /** Widths that rows have proven; what was uncertain before may count by them. */
  learn(proven: Proven): void {
    const widest = widestOf(this.#ledger.checkpoint.proven, proven);
    this.#ledger.note({ proven: widest });
    this.#uncertain = this.#uncertain.flatMap((one) => {
      const covered = coverageOf(one.window, widest);
      if (covered !== null && width([covered]) > width(one.covered === null ? [] : [one.covered])) {
        this.#credit(one.window, covered, one.how);
      }
      return isAll(covered, one.window) ? [] : [{ ...one, covered }];
    });
  }

  /** The chain of a window that was asked with dates held all of it. */
  cover(window: OpenWindow, how: Ended): void {
    const { proven } = this.#ledger.checkpoint;
    const covered = coverageOf(window, proven);
    if (covered !== null) {
      this.#credit(window, covered, how);
    }
    if (!isAll(covered, window)) {
      this.#uncertain = [...this.#uncertain, { window, how, covered }];
    }
  }

  /** What is left uncertain of a window that is wider than all that may still prove it. */
  #hopeless(): OpenWindow | null {
    const widest = Math.max(0, ...[...this.#walking].map(({ window: { askFrom, askTo } }) => askTo - askFrom));
    for (const one of this.#uncertain) {
      const { window, covered } = one;
      const [rest] = covered === null ? [] : subtract(window, [covered]);
      if (rest !== undefined && window.askTo - window.askFrom > widest) {
        this.#uncertain = this.#uncertain.filter((other) => other !== one);
        const part = freshWindow(rest);
        this.#ledger.begin(part);
        return part;
      }
    }
    return null;
  }

  #credit(window: OpenWindow, covered: TimeRange, how: Ended): void {
    this.#ledger.credit(window, covered, how);
    this.#ledger.note({ again: this.#ledger.checkpoint.again.flatMap((one) => subtract(one, [covered])) });
  }

  /** What was learned by dates that are not trusted any more is forgotten. */
  forget(): void {
    this.failed = [];
    this.#uncertain = [];
  }

  async #settle(window: OpenWindow, end: ChainEnd, round: Round): Promise<void> {
    switch (end.kind) {
      case "ended":
        await this.#finish(window, end);
        break;
      case "long":
        this.#goOn(window, round);
        break;
      case "cursor-refused":
        this.#refused(window, end.status, round);
        break;
      case "stray":
        this.#ledger.note({ datesTrusted: false });
        round.abort();
        break;
      case "failed":
        this.#fail(window, end.problem);
        break;
    }
  }

  async #finish(window: OpenWindow, { seen, how }: Extract<ChainEnd, { kind: "ended" }>): Promise<void> {
    const state = this.#ledger.stateOf(window);
    const lacking = window.dated ? 0 : await this.#countLacking(state, seen);
    if (lacking > 0) {
      this.#fail(window, lacksKnown(window, lacking));
      return;
    }
    this.#done += 1;
    this.#ledger.drop(window);
    if (!window.dated) {
      this.#credit(state, window, how);
      return;
    }
    if (how === "no-last" && this.#cursors.hasKept(state, this.order.state)) {
      this.#ledger.note({ cursorsProven: true });
    }
    this.#learnFrom(state);
    if (isBarren(state, this.#ledger.checkpoint.proven)) {
      this.#ledger.note({ barrenAbove: state.askTo });
    }
    this.cover(state, how);
  }

  /** Fills that a whole answer without dates would have held. */
  async #countLacking(window: OpenWindow, seen: Seen): Promise<number> {
    const known = await countLacking(this.#job, this.#session.calendar, window, seen);
    return known > 0 ? known : await countCutOff(this.lookPorts(), window, { lowest: window.lowest, seen });
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
    this.#ledger.drop(window);
    for (const next of windows) {
      this.#ledger.begin(next);
    }
    round.add(windows);
  }

  /** Where the order is proven, another chain takes over at the last row. */
  #goOn(window: OpenWindow, round: Round): boolean {
    const { direction } = this.order;
    const edge = direction === null || !window.dated ? null : atEdge(this.#ledger.stateOf(window), direction);
    if (edge === null) {
      return false;
    }
    this.#ledger.drop(window);
    this.#learnFrom(edge.read);
    this.cover(edge.read, "order");
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

  lookPorts() {
    const { reader, signal, store } = this.#job;
    return { reader, signal, store, onPage: (rows: number) => this.onPage(rows) };
  }

  /** For chains whose rows are not filed. */
  chainPorts(signal: AbortSignal): ChainPorts {
    const { reader, clock } = this.#job;
    const nothing = { emit: () => undefined, settle: () => Promise.resolve() };
    return { reader, clock, signal, ...nothing, onPage: (rows) => this.onPage(rows) };
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

function isAll(covered: TimeRange | null, { from, to }: TimeRange): boolean {
  return covered !== null && covered.from === from && covered.to === to;
}
