import { intersection, union, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { RunContext } from "../job/context.ts";
import type { Coverage } from "./coverage.ts";
import type { ProbePorts } from "./probe.ts";
import { askingsThatCount } from "./silence.ts";
import type { UncommittedChanges } from "./uncommitted-changes.ts";
import type { Unread } from "./unread.ts";
import { nameOf } from "./window.ts";

/** Counts what a walk has asked for, and reports it. */
export class Progress {
  pages = 0;
  windowsDone = 0;
  readonly #job: RunContext;
  readonly #uncommitted: UncommittedChanges;
  readonly #range: TimeRange;
  #fillsSeen = 0;

  constructor(job: RunContext, uncommitted: UncommittedChanges, range: TimeRange) {
    this.#job = job;
    this.#uncommitted = uncommitted;
    this.#range = range;
  }

  onPage(rows: number): void {
    this.pages += 1;
    this.#fillsSeen += rows;
    const { requests, refused } = this.#job.reader.counts;
    const done = union([...this.#uncommitted.session.manifest.coverage, ...this.#uncommitted.finishedRanges]);
    this.#job.report({
      stage: "walking",
      windowsDone: this.windowsDone,
      windowsOpen: this.#uncommitted.openCount,
      pages: this.pages,
      requests,
      refused,
      fillsSeen: this.#fillsSeen,
      covered: width(intersection(this.#range, done)) / Math.max(1, this.#range.to - this.#range.from),
    });
  }

  /** For single requests whose rows are not filed. */
  probePorts(signal: AbortSignal): ProbePorts {
    return { reader: this.#job.reader, clock: this.#job.clock, signal, onPage: (rows) => this.onPage(rows) };
  }
}

/** When silence was broken more often than this, another break is no progress: the fills come and go. */
const MOST_BREAKS = 100;

/** A text that is the same exactly when the walk stands where it stood before. */
export function progressMark(
  { session: { manifest, manifestIndex }, checkpoint }: Pick<UncommittedChanges, "session" | "checkpoint">,
  { unread, coverage }: { readonly unread: Unread; readonly coverage: Coverage },
): string {
  const { datesTrusted, proven, order, again, limits, clampSeen } = checkpoint;
  const { failedCount, failed, refused } = unread;
  const { silent, undecided } = coverage;
  const left = [
    width(manifest.coverage),
    manifestIndex.sum.windows,
    width(again),
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
