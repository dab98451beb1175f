import type { OpenWindow } from "../archive/manifest.ts";
import type { Ended } from "../archive/manifest-entries.ts";
import type { Fill } from "../core/fill.ts";
import { isWithin, subtract, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { type Answer, begunBy, type Cuts, coveredBy, mayBeCapped } from "./clamp-proof.ts";
import { cutsAlike, findingsOfAnswer, findingsOfPage } from "./knowledge.ts";
import { type OrderProof, provenDirection } from "./order.ts";
import { answerOf } from "./outcome.ts";
import { SilentRanges } from "./silent-ranges.ts";
import type { UncommittedChanges } from "./uncommitted-changes.ts";
import { narrowerThan } from "./window.ts";

/** A window whose chain has ended, and of which not everything counts by what is known now. */
interface Partial {
  readonly window: OpenWindow;
  readonly answer: Answer;
  readonly covered: TimeRange | null;
  /** Where to cut it: about the median of its rows' times. */
  readonly middle: number | null;
  /** As of ChainEnd. */
  readonly isBelieved: boolean;
  /** Of rows in no order that a cap may have cut: nothing of it counts yet, and it stays open. */
  readonly isUndecided: boolean;
  /** Commits that had begun when it ended: it counts for more only until the next one, which has its pages. */
  readonly commits: number;
}

/** What the answers of a run cover, by what is known of how the service cuts them: what counts now, what may count later, and what has to be asked again. */
export class Coverage {
  readonly order: OrderProof;
  readonly silent: SilentRanges;
  readonly #uncommitted: UncommittedChanges;
  readonly #again: readonly TimeRange[];
  #partial: readonly Partial[] = [];
  #begun: readonly TimeRange[] = [];

  constructor(uncommitted: UncommittedChanges, order: OrderProof, range: TimeRange) {
    this.#uncommitted = uncommitted;
    this.order = order;
    this.#again = uncommitted.checkpoint.again;
    this.silent = new SilentRanges(uncommitted, range);
  }

  /** What each page shows, whatever becomes of its chain. */
  learnFromPage(window: OpenWindow, fills: readonly Fill[]): void {
    this.#uncommitted.apply(...findingsOfPage(window, fills.length));
    if (window.pages === 1) {
      const answer = answerOf(window, "no-last");
      this.#begin(begunBy(answer));
      this.learn(answer);
    }
    const times = fills.map(({ txCreated }) => txCreated).filter((time) => isWithin(window, time));
    if (this.silent.onRows(times)) {
      this.#giveUpBelieved();
    }
  }

  #begin(range: TimeRange | null): void {
    if (range !== null && !this.#begun.some((one) => one.from <= range.from && range.to <= one.to)) {
      this.#begun = [...this.#begun, range];
    }
  }

  /** An answer that seemed to be its chain's last was none. */
  sawFalseEnd(): void {
    if (this.silent.onFalseEnd()) {
      this.#giveUpBelieved();
    }
  }

  /** What was believed before a mistake was known of is given up, once. */
  #giveUpBelieved(): void {
    for (const { window } of this.#undecided.filter((one) => one.isBelieved)) {
      this.#uncommitted.drop(window);
    }
    this.#partial = this.#partial.filter((one) => !one.isBelieved);
  }

  get #cuts(): Cuts {
    const { proven, mostRows = 0, mostSent = 0, shortestPage, clampSeen } = this.#uncommitted.checkpoint;
    const { pageRows, direction } = this.order;
    // A clamp would have hidden what begun answers are taken to have had.
    const begun = clampSeen === true ? [] : this.#begun;
    const least = shortestPage ?? Math.ceil(pageRows / 2);
    return { proven, mostRows, mostSent, pageRows: least, isOrderProven: direction !== null, begun };
  }

  /** What its rows prove of how much the service answers; windows of which not all counted before may count by it. */
  learn(answer: Answer): void {
    const before = this.#uncommitted.checkpoint;
    this.#uncommitted.apply(...findingsOfAnswer(answer, before));
    if (!cutsAlike(before, this.#uncommitted.checkpoint)) {
      this.#judgeAgain();
    }
  }

  /** Takes over what is known of the order now. True: it is refuted, and was not before. */
  noteOrder(): boolean {
    const { order: before } = this.#uncommitted.checkpoint;
    const isFoundOut = this.order.isRefuted && !before.refuted;
    // What was walked again on its strength is to be walked once more, in the very commit that takes the order back.
    this.#uncommitted.apply({ kind: "order", order: this.order.state });
    this.#uncommitted.setCheckpoint(isFoundOut ? { again: this.#again } : {});
    if (provenDirection(before) !== this.order.direction) {
      this.#judgeAgain();
    }
    return isFoundOut;
  }

  /** What is known of how the service cuts its answers has changed. */
  #judgeAgain(): void {
    this.#partial = this.#partial.flatMap((one) => this.#judgedAgain(one));
  }

  /** What is left of it to be judged. */
  #judgedAgain(one: Partial): readonly Partial[] {
    if (one.commits !== this.#uncommitted.commits && !one.isUndecided) {
      return [];
    }
    const covered = coveredBy(one.answer, this.#cuts);
    if (covered !== null && width([covered]) > (one.covered === null ? 0 : width([one.covered]))) {
      this.#creditRows(one, covered);
    }
    if (one.isUndecided && covered !== null) {
      this.#uncommitted.drop(one.window);
    }
    return isAll(covered, one.window) ? [] : [{ ...one, covered, isUndecided: one.isUndecided && covered === null }];
  }

  /** The chain of a window that was asked with dates has ended: what of it is covered counts. */
  cover(
    window: OpenWindow,
    ended: Ended,
    { middle = null, isBelieved = false }: { readonly middle?: number | null; readonly isBelieved?: boolean } = {},
  ): void {
    const answer = answerOf(window, ended);
    this.#uncommitted.drop(window);
    this.learn(answer);
    if (answer.lowest === null || answer.highest === null) {
      if (this.silent.onEmpty(window)) {
        this.#giveUpBelieved();
      }
      return;
    }
    const covered = coveredBy(answer, this.#cuts);
    if (covered !== null) {
      this.#creditRows({ window, answer, isBelieved }, covered);
    }
    if (!isAll(covered, window)) {
      const isUndecided = covered === null && this.#isMixed(answer);
      const { commits } = this.#uncommitted;
      this.silent.endedAt([answer.lowest, answer.highest]);
      this.#partial = [...this.#partial, { window, answer, covered, middle, isBelieved, isUndecided, commits }];
      if (isUndecided) {
        this.#uncommitted.begin(window);
      }
      this.#hearBeside(answer, covered);
    }
  }

  #creditRows(
    { window, answer, isBelieved }: Pick<Partial, "window" | "answer" | "isBelieved">,
    covered: TimeRange,
  ): void {
    this.#uncommitted.credit(window, { covered, ended: this.#restsOn(answer) });
    if (isBelieved) {
      this.silent.believe(covered);
    }
    const sure = coveredBy(answer, { ...this.#cuts, begun: [] });
    for (const range of subtract(covered, sure === null ? [] : [sure])) {
      this.silent.takeForUnclamped(range);
    }
  }

  /** What a cap may have ended is covered up to its last row because of the order of its rows, and is given up with it. */
  #restsOn(answer: Answer): Ended {
    const isInOrder = answer.came !== null && answer.came !== "mixed" && !this.order.isRefuted;
    return isInOrder && mayBeCapped(answer, this.#cuts) ? "order" : answer.ended;
  }

  /** What is silent beside the rows of an answer that was no longer than a page, and does not count yet. */
  #hearBeside({ from, to, asked, pages, sent, lowest, highest }: Answer, covered: TimeRange | null): void {
    if (pages > 1 || sent >= this.#cuts.pageRows || lowest === null || highest === null) {
      return;
    }
    const rest = subtract({ from, to }, covered === null ? [] : [covered]);
    for (const silent of rest.flatMap((one) => subtract(one, [{ from: lowest, to: highest + 1 }]))) {
      this.silent.hear(silent, asked);
    }
  }

  /** Windows of rows in no order that a cap may have cut: they stay open until another answer decides them, and are asked for in halves when nothing else is left. */
  get undecided(): readonly OpenWindow[] {
    return this.#undecided.map(({ window }) => window);
  }

  get #undecided(): readonly Partial[] {
    return this.#partial.filter((one) => one.isUndecided);
  }

  #isMixed({ came }: Answer): boolean {
    return came === "mixed" || (came !== null && this.order.direction === null);
  }

  takeUndecided(): readonly OpenWindow[] {
    const some = this.#undecided;
    for (const { window } of some) {
      this.#uncommitted.drop(window);
    }
    this.#partial = this.#partial.filter((one) => !some.includes(one));
    return some.flatMap(({ window, answer, middle }) => narrowerThan(window, answer, middle));
  }

  /** What was learned by dates that are not trusted any more is forgotten. */
  forget(): void {
    this.takeUndecided();
    this.#partial = [];
  }
}

function isAll(covered: TimeRange | null, { from, to }: TimeRange): boolean {
  return covered !== null && covered.from === from && covered.to === to;
}
