import type { OpenWindow } from "../archive/manifest.ts";
import type { Fill } from "../core/fill.ts";
import { askCursors } from "./ask-cursors.ts";
import type { Chain } from "./chain.ts";
import type { Coverage } from "./coverage.ts";
import { CursorProof } from "./cursor-proof.ts";
import { DateProof } from "./date-proof.ts";
import { watchFrom } from "./order.ts";
import type { Progress } from "./progress.ts";
import type { UncommittedChanges } from "./uncommitted-changes.ts";
import type { Round } from "./worker-pool.ts";

/** Sends the requests that show what dates and cursors mean, beside the windows of a run. */
export class Probes {
  readonly #uncommitted: UncommittedChanges;
  readonly #coverage: Coverage;
  readonly #progress: Progress;
  readonly #dates: DateProof;
  readonly #cursors = new CursorProof();
  #datesAsked: Promise<void> | null = null;
  #cursorsAsked: Promise<void> | null = null;

  constructor(uncommitted: UncommittedChanges, coverage: Coverage, progress: Progress) {
    this.#uncommitted = uncommitted;
    this.#coverage = coverage;
    this.#progress = progress;
    this.#dates = new DateProof(uncommitted.checkpoint.datesProven);
  }

  /**
   * Takes a page of a chain. Probes as soon as its fills can tell, while windows that depend on the result
   * run.
   */
  onPage(chain: Chain, fills: readonly Fill[], round: Round): void {
    this.#dates.offer(fills);
    this.#askDates(round);
    this.#askCursors(chain, fills, round);
  }

  /** Probes which time the dates filter by, and waits for the answers. */
  async settle(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#datesAsked, this.#cursorsAsked]);
    await this.#dates.check(this.#progress.probePorts(signal), (finding) => this.#uncommitted.apply(finding));
  }

  /** The same, with fills that can tell more than the ones before. */
  async settleBy(fills: readonly Fill[], signal: AbortSignal): Promise<void> {
    this.#dates.renew();
    this.#dates.offer(fills);
    await this.settle(signal);
  }

  /** A chain was read to its last page. */
  onEnd(window: OpenWindow): void {
    if (this.#cursors.hasKept(window, this.#coverage.order)) {
      this.#uncommitted.apply({ kind: "cursors-keep-dates" });
    }
  }

  #askDates(round: Round): void {
    if (this.#datesAsked !== null || !this.#dates.canProve || !this.#uncommitted.checkpoint.datesTrusted) {
      return;
    }
    const check = this.#dates.check(this.#progress.probePorts(round.signal), (finding) => {
      this.#uncommitted.apply(finding);
      if (finding.kind === "dates-by-another-time") {
        round.abort();
      }
    });
    // Errors are ignored here; the probe is awaited again at the end of the round.
    this.#datesAsked = check.catch(() => undefined);
  }

  /** Reads the answer to its end, which also shows whether the order holds there. */
  #askCursors(chain: Chain, fills: readonly Fill[], round: Round): void {
    const { order } = this.#coverage;
    const probe = this.#cursors.offer(chain, fills, order, this.#uncommitted.checkpoint);
    if (probe === null) {
      return;
    }
    let watch = watchFrom();
    const asked = askCursors(this.#progress.probePorts(round.signal), probe, (newTimes) => {
      watch = order.take(watch, newTimes);
    });
    const settled = asked.then(
      ({ findings, isAtEnd }) => {
        if (isAtEnd) {
          order.end(watch);
        }
        // Without cursors, only a full page says that there is more. If pages vary in length, none counts as
        // full.
        const varies = this.#uncommitted.checkpoint.shortestPage === 1;
        this.#uncommitted.apply(...findings.filter(({ kind }) => !(varies && kind === "ties")));
        const { datesTrusted, ties } = this.#uncommitted.checkpoint;
        if (this.#coverage.noteOrder() || !datesTrusted || ties === "dropped") {
          round.abort();
        }
      },
      () => undefined, // not known, as before
    );
    this.#cursorsAsked = settled.finally(() => this.#cursors.answered());
  }
}
