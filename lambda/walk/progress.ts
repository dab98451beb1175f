import type { OpenWindow, Order } from "../archive/manifest.ts";
import { BEGINNING_MS } from "../core/beginning.ts";
import { subtract, union, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { RunContext } from "../job/context.ts";
import type { Coverage } from "./coverage.ts";
import type { ProbePorts } from "./probe.ts";
import { readOf, shareRead } from "./share-read.ts";
import { askingsThatCount } from "./silence.ts";
import type { UncommittedChanges } from "./uncommitted-changes.ts";
import type { Unread } from "./unread.ts";
import { nameOf } from "./window.ts";

/** What a walk tells of itself beside its pages. */
export interface Walked {
  /** Windows whose chains are running, as of their last pages. */
  readonly windows: () => readonly OpenWindow[];
  readonly order: () => Pick<Order, "direction" | "refuted">;
}

/** Counts what a walk has asked for, and reports it. */
export class Progress {
  pages = 0;
  windowsDone = 0;
  readonly #job: RunContext;
  readonly #uncommitted: UncommittedChanges;
  readonly #range: TimeRange;
  readonly #walked: Walked;
  /** What was to be read when the walk began. */
  readonly #claimed: readonly TimeRange[];
  #fillsSeen = 0;
  /** The least and the greatest time that is known to be a fill's, of the archive or of this run. */
  #oldest: number;
  #newest: number;
  /** What chains of this run have read, whatever of it counts as covered yet. */
  #read: readonly TimeRange[] = [];
  #share: number | null = null;
  #reached: number | null = null;

  constructor(job: RunContext, uncommitted: UncommittedChanges, range: TimeRange, walked: Walked) {
    this.#job = job;
    this.#uncommitted = uncommitted;
    this.#range = range;
    this.#walked = walked;
    this.#claimed = this.#unread();
    const { firstTrade, lastTrade } = uncommitted.session.manifestIndex.sum;
    this.#oldest = firstTrade ?? Number.POSITIVE_INFINITY;
    this.#newest = lastTrade ?? Number.NEGATIVE_INFINITY;
  }

  onPage(rows: number): void {
    this.pages += 1;
    this.#fillsSeen += rows;
    const { requests, refused } = this.#job.reader.counts;
    const order = this.#walked.order();
    this.#look(this.#walked.windows(), order);
    const unread = this.#unread().flatMap((range) => subtract(range, this.#read));
    this.#job.report({
      stage: "walking",
      windowsDone: this.windowsDone,
      windowsOpen: this.#uncommitted.openCount,
      pages: this.pages,
      requests,
      refused,
      fillsSeen: this.#fillsSeen,
      ...this.#farthest(unread, order),
    });
  }

  #look(windows: readonly OpenWindow[], order: Pick<Order, "direction" | "refuted">): void {
    this.#oldest = Math.min(this.#oldest, ...windows.flatMap(({ lowest }) => lowest ?? []));
    this.#newest = Math.max(this.#newest, ...windows.flatMap(({ highest }) => highest ?? []));
    this.#read = union([...this.#read, ...windows.flatMap((window) => readOf(window, order))]);
  }

  /** Neither the share nor the time goes back where a walk takes back what it believed. */
  #farthest(unread: readonly TimeRange[], { direction }: Pick<Order, "direction">) {
    const isAscending = direction === "ascending";
    const share = shareRead({ claimed: this.#claimed, unread, pages: this.pages, knownSince: this.#knownSince });
    this.#share = share === null ? this.#share : Math.max(share, this.#share ?? 0);
    // What is newer, or older, than all fills is often asked for last, and holds none.
    const among = unread.filter(({ from, to }) => (isAscending ? to > this.#oldest : from <= this.#newest));
    const reached = reachedOf(this.#range, among.length === 0 ? unread : among, isAscending);
    this.#reached = (isAscending ? Math.max : Math.min)(reached, this.#reached ?? reached);
    return { covered: this.#share, reached: this.#reached };
  }

  /**
   * A chain came to its end: what is left of its window beside its rows holds none, unless that is most of
   * it.
   */
  onEnd(window: OpenWindow): void {
    const read = readOf(window, this.#walked.order());
    if (2 * width(read) >= width([window])) {
      this.#read = union([...this.#read, window]);
    }
  }

  /** For single requests whose rows are not filed. */
  probePorts(signal: AbortSignal): ProbePorts {
    return { reader: this.#job.reader, clock: this.#job.clock, signal, onPage: (rows) => this.onPage(rows) };
  }

  /** Nobody knows when the account began where all is read from the beginning of all accounts. */
  get #knownSince(): number {
    return this.#range.from > BEGINNING_MS ? this.#range.from : this.#oldest;
  }

  #unread(): readonly TimeRange[] {
    const { session, finishedRanges, checkpoint } = this.#uncommitted;
    const done = union([...session.manifest.coverage, ...finishedRanges]);
    return union([...subtract(this.#range, done), ...checkpoint.rechecks]);
  }
}

/** How far the walk has come without a gap: from the newest time back, or from the oldest on. */
function reachedOf(range: TimeRange, unread: readonly TimeRange[], isAscending: boolean): number {
  return isAscending ? (unread[0]?.from ?? range.to) : (unread.at(-1)?.to ?? range.from);
}

/** When silence was broken more often than this, another break is no progress: the fills come and go. */
const MOST_BREAKS = 100;

/** A text that is the same exactly when the walk stands where it stood before. */
export function progressMark(
  { session: { manifest, manifestIndex }, checkpoint }: Pick<UncommittedChanges, "session" | "checkpoint">,
  { unread, coverage }: { readonly unread: Unread; readonly coverage: Coverage },
): string {
  const { datesTrusted, proven, order, rechecks, limits, clampSeen } = checkpoint;
  const { failedCount, failed, refused } = unread;
  const { silent, undecided } = coverage;
  const left = [
    width(manifest.coverage),
    manifestIndex.sum.windows,
    width(rechecks),
    failedCount,
    width(failed),
    refused.ranges.length,
    undecided.map(nameOf),
  ];
  const known = [datesTrusted, order.refuted, clampSeen, proven.keepingEnd, proven.keepingBeginning];
  return [
    ...left,
    ...known,
    askingsThatCount(silent.heard),
    Math.min(silent.heard.breaks, MOST_BREAKS),
    JSON.stringify(limits),
  ].join();
}
