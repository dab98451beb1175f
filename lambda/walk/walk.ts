import type { OpenWindow } from "../archive/manifest.ts";
import { type ArchiveSession, FencedError } from "../archive/session.ts";
import { asFillbookError, FillbookError, StoppedError } from "../errors.ts";
import type { Job } from "../job.ts";
import { covers, intersection, union, width } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import { type ChainEnd, type ChainPorts, describe, walkChain } from "./chain.ts";
import { DateProof } from "./date-proof.ts";
import { Ledger } from "./ledger.ts";
import { countCutOff, lacksAny, lookAt, lookUndated } from "./look.ts";
import { afterRefusal, findingOf, lacksKnown, refusesItsCursor } from "./outcome.ts";
import { gapsOf, planRound, safeWidth } from "./plan.ts";
import { countLacking, fillsKept, resumed } from "./resume.ts";

/** So many windows that cannot be read are not an accident: the run ends instead of asking on. */
const MAX_FAILED_WINDOWS = 8;
/** A gap of this many safe widths is worth a request that looks at all of it; at most so many in a run. */
const LOOK_WIDTHS = 8;
const MAX_LOOKS = 3;

export interface WalkOutcome {
  readonly pages: number;
  /** Why some of the range is not covered; the run goes on past the ones that concern one window. */
  readonly problems: readonly FillbookError[];
}

/** Walks what of `range` the archive lacks, several windows at once, and commits as it goes. */
export async function walkRange(
  job: Job,
  session: ArchiveSession,
  range: TimeRange,
  horizon: TimeRange,
): Promise<WalkOutcome> {
  return await new Walk(job, session, range, horizon).run();
}

class Walk {
  readonly #job: Job;
  readonly #session: ArchiveSession;
  readonly #range: TimeRange;
  readonly #horizon: TimeRange;
  readonly #ledger: Ledger;
  readonly #proof: DateProof;
  readonly #problems: FillbookError[] = [];
  readonly #restarted = new Set<string>();
  #failed: TimeRange[] = [];
  #failedCount = 0;
  #pages = 0;
  #fillsSeen = 0;
  #windowsDone = 0;

  /** `horizon`: all times that the account can have, for the one look beyond a range that turned out empty. */
  constructor(job: Job, session: ArchiveSession, range: TimeRange, horizon: TimeRange) {
    this.#job = job;
    this.#session = session;
    this.#range = range;
    this.#horizon = horizon;
    this.#ledger = new Ledger(job, session, range);
    this.#proof = new DateProof(session.manifest.checkpoint.datesProven);
  }

  async run(): Promise<WalkOutcome> {
    try {
      await this.#look();
      await this.#rounds();
      if (await this.#isMisled()) {
        await this.#distrustDates();
        await this.#rounds();
      }
    } catch (error) {
      this.#problems.push(asFillbookError(error));
      await this.#rescue(error);
    }
    return { pages: this.#pages, problems: this.#problems };
  }

  async #rounds(): Promise<void> {
    for (let windows = this.#next(); windows.length > 0; windows = this.#next()) {
      const before = this.#progressMark();
      await this.#round(windows);
      if (this.#progressMark() === before) {
        throw new FillbookError("fault", `the walk of ${describe({ ...this.#range, dated: true })} makes no progress`);
      }
    }
  }

  /**
   * Whether fills are missing that the dates hid: a page without dates shows one, or shows fills that do not come by their own times. Fills
   * that came by dates are poorer probes: those of a narrow window came because their times agree.
   */
  async #isMisled(): Promise<boolean> {
    const { datesTrusted, datesProven } = this.#ledger.checkpoint;
    if (!datesTrusted || datesProven) {
      return false;
    }
    const fills = await lookUndated(this.#lookPorts());
    if (await lacksAny(this.#job, this.#session.manifest, fills)) {
      return true;
    }
    this.#proof.offer(fills);
    await this.#probe();
    return !this.#ledger.checkpoint.datesTrusted;
  }

  async #probe(): Promise<void> {
    await this.#proof.check(
      this.#chainPorts(this.#job.signal, () => undefined),
      (finding) => this.#ledger.note(finding),
    );
  }

  /** Keeps what was read, whatever ended the run: unless the archive is no longer ours. */
  async #rescue(error: unknown): Promise<void> {
    if (error instanceof FencedError) {
      return;
    }
    try {
      await this.#ledger.commit();
    } catch (second) {
      this.#problems.push(asFillbookError(second));
    }
  }

  /** The windows to walk next: those that an earlier run left open, or else newly planned ones. */
  #next(): OpenWindow[] {
    const { manifest } = this.#session;
    const input = { range: this.#range, manifest, checkpoint: this.#ledger.checkpoint, failed: this.#failed };
    const gaps = gapsOf(input);
    const left = manifest.checkpoint.open.filter(
      (window) => window.dated === this.#ledger.checkpoint.datesTrusted && covers(gaps, window),
    );
    if (this.#failedCount >= MAX_FAILED_WINDOWS) {
      return [];
    }
    return left.length > 0 ? left.map((window) => resumed(window, this.#job.clock.now())) : planRound(input);
  }

  /** Differs after every round that came further: more covered, more given up, or another way to go on. */
  #progressMark(): string {
    const { coverage, windows } = this.#session.manifest;
    const { barrenAbove, datesTrusted, provenMs } = this.#ledger.checkpoint;
    return [width(coverage), windows.length, this.#failedCount, barrenAbove, datesTrusted, provenMs].join();
  }

  /**
   * Before the first window: one request for each wide gap, which shows how wide a range the service answers. Where nothing is known even then, the
   * account's whole time is looked at.
   */
  async #look(): Promise<void> {
    const { manifest } = this.#session;
    const gaps = gapsOf({ range: this.#range, manifest, failed: [] });
    const widest = gaps.toSorted((a, b) => width([b]) - width([a])).slice(0, MAX_LOOKS);
    for (const gap of widest) {
      await this.#lookAt(gap);
    }
    if (widest.length > 0 && this.#ledger.checkpoint.provenMs === 0) {
      await this.#lookAt(this.#horizon);
    }
  }

  async #lookAt(range: TimeRange): Promise<void> {
    const { provenMs, datesTrusted } = this.#ledger.checkpoint;
    if (!datesTrusted || width([range]) <= LOOK_WIDTHS * safeWidth(provenMs)) {
      return;
    }
    const look = await lookAt(this.#lookPorts(), range);
    if (look.strays) {
      await this.#distrustDates();
    } else {
      this.#ledger.note({ provenMs: Math.max(provenMs, look.provenMs) });
    }
  }

  async #round(windows: readonly OpenWindow[]): Promise<void> {
    const queue = [...windows];
    const { datesTrusted } = this.#ledger.checkpoint;
    for (const window of windows) {
      this.#ledger.begin(window);
    }
    const round = new AbortController();
    const signal = AbortSignal.any([this.#job.signal, round.signal]);
    const errors: unknown[] = [];
    const worker = async () => {
      for (let window = queue.shift(); window !== undefined && !signal.aborted; window = queue.shift()) {
        await this.#window(window, queue, signal);
        if (this.#failedCount >= MAX_FAILED_WINDOWS) {
          queue.length = 0;
        }
        if (!this.#ledger.checkpoint.datesTrusted && window.dated) {
          round.abort();
        }
        await this.#ledger.commitWhenDue();
      }
    };
    const guarded = () =>
      worker().catch((error: unknown) => {
        errors.push(error);
        round.abort();
      });
    await Promise.all(Array.from({ length: Math.min(this.#job.concurrency, queue.length) }, guarded));
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
    if (this.#ledger.checkpoint.datesTrusted) {
      await this.#probe();
    }
    if (trustedDates && !this.#ledger.checkpoint.datesTrusted) {
      await this.#distrustDates();
    } else {
      await this.#ledger.commit();
    }
  }

  async #distrustDates(): Promise<void> {
    this.#ledger.note({ datesTrusted: false });
    this.#failed = [];
    await this.#ledger.commit();
  }

  async #window(window: OpenWindow, queue: OpenWindow[], signal: AbortSignal): Promise<void> {
    const seen = await fillsKept(this.#job, window);
    const ports = this.#chainPorts(signal, (segment) => {
      this.#proof.offer(segment.fills);
      this.#ledger.take(segment);
    });
    const end = await walkChain(ports, window, { seen });
    await this.#settle(window, end, queue);
  }

  async #settle(window: OpenWindow, end: ChainEnd, queue: OpenWindow[]): Promise<void> {
    switch (end.kind) {
      case "ended":
        await this.#finish(window, end.seen);
        break;
      case "cursor-refused":
        this.#again(window, end.status, queue);
        break;
      case "stray":
        this.#ledger.note({ datesTrusted: false });
        break;
      case "failed":
        this.#fail(window, end.problem);
        break;
    }
  }

  /** Fills that a whole answer without dates would have held. */
  async #countLacking(window: OpenWindow, seen: ReadonlySet<string>): Promise<number> {
    const { lowest } = this.#ledger.stateOf(window);
    const known = await countLacking(this.#job, this.#session.manifest.parts, window, seen);
    return known > 0 ? known : await countCutOff(this.#lookPorts(), window, { lowest, seen });
  }

  async #finish(window: OpenWindow, seen: ReadonlySet<string>): Promise<void> {
    const lacking = window.dated ? 0 : await this.#countLacking(window, seen);
    if (lacking > 0) {
      this.#fail(window, lacksKnown(window, lacking));
      return;
    }
    this.#windowsDone += 1;
    if (!window.dated) {
      this.#ledger.end(window, window);
      return;
    }
    const { covered, provenMs, isBarren } = findingOf(this.#ledger.stateOf(window), this.#ledger.checkpoint.provenMs);
    this.#ledger.note(isBarren ? { provenMs, barrenAbove: window.askTo } : { provenMs });
    this.#ledger.end(window, covered);
  }

  #again(window: OpenWindow, status: number, queue: OpenWindow[]): void {
    const name = `${window.from}-${window.to}`;
    const windows = afterRefusal(this.#ledger.stateOf(window), !this.#restarted.has(name));
    this.#restarted.add(name);
    if (windows.length === 0) {
      this.#fail(window, refusesItsCursor(window, status));
      return;
    }
    this.#ledger.end(window, null);
    for (const next of windows) {
      this.#ledger.begin(next);
    }
    queue.unshift(...windows);
  }

  #fail(window: OpenWindow, problem: FillbookError): void {
    this.#ledger.end(window, null);
    this.#failed = union([...this.#failed, window]);
    this.#failedCount += 1;
    this.#problems.push(problem);
  }

  #lookPorts() {
    const { reader, signal, store } = this.#job;
    return { reader, signal, store, onPage: (rows: number) => this.#onPage(rows) };
  }

  #chainPorts(signal: AbortSignal, emit: ChainPorts["emit"]): ChainPorts {
    const { reader, clock } = this.#job;
    const settle = () => this.#ledger.commitWhenDue();
    return { reader, clock, signal, emit, settle, onPage: (fills) => this.#onPage(fills) };
  }

  #onPage(fills: number): void {
    this.#pages += 1;
    this.#fillsSeen += fills;
    const { requests, refused } = this.#job.reader.counts;
    const done = union([...this.#session.manifest.coverage, ...this.#ledger.finishedRanges]);
    this.#job.report({
      stage: "walking",
      windowsDone: this.#windowsDone,
      windowsOpen: this.#ledger.openCount,
      pages: this.#pages,
      requests,
      refused,
      fillsSeen: this.#fillsSeen,
      covered: width(intersection(this.#range, done)) / Math.max(1, this.#range.to - this.#range.from),
    });
  }
}
