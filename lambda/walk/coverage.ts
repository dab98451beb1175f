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

/** A finished window of which some part does not count yet. */
interface Partial {
  readonly window: OpenWindow;
  readonly answer: Answer;
  readonly covered: TimeRange | null;
  /** Where to cut the window: about the median of its rows' times. */
  readonly middle: number | null;
  /** As in ChainEnd. */
  readonly isBelieved: boolean;
  /**
   * True when a cap may have cut its rows and they have no order. Nothing counts yet, and the window stays
   * open.
   */
  readonly isUndecided: boolean;
  /**
   * How many commits had begun when the window ended. It can count for more only until the next commit, which
   * writes its pages.
   */
  readonly commits: number;
}

/**
 * Decides what the answers of a run cover, by what is known of how the service cuts answers: what counts now,
 * what may count later, and what must be asked again.
 */
export class Coverage {
  readonly order: OrderProof;
  readonly silent: SilentRanges;
  readonly #uncommitted: UncommittedChanges;
  readonly #rechecks: readonly TimeRange[];
  #partial: readonly Partial[] = [];
  #begun: readonly TimeRange[] = [];

  constructor(uncommitted: UncommittedChanges, order: OrderProof, range: TimeRange) {
    this.#uncommitted = uncommitted;
    this.order = order;
    this.#rechecks = uncommitted.checkpoint.rechecks;
    this.silent = new SilentRanges(uncommitted, range);
  }

  /** Learns from each page, whether or not its chain succeeds. */
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

  /** An answer looked like the last page of its chain and was not. */
  sawFalseEnd(): void {
    if (this.silent.onFalseEnd()) {
      this.#giveUpBelieved();
    }
  }

  /** Withdraws, once, everything that was believed before the service's first mistake was known. */
  #giveUpBelieved(): void {
    for (const { window } of this.#undecided.filter((one) => one.isBelieved)) {
      this.#uncommitted.drop(window);
    }
    this.#partial = this.#partial.filter((one) => !one.isBelieved);
  }

  get #cuts(): Cuts {
    const { proven, mostRows = 0, mostSent = 0, shortestPage, clampSeen } = this.#uncommitted.checkpoint;
    const { pageRows, direction } = this.order;
    // A clamp would have hidden the rows that begun answers are assumed to have had.
    const begun = clampSeen === true ? [] : this.#begun;
    const least = shortestPage ?? Math.ceil(pageRows / 2);
    return { proven, mostRows, mostSent, pageRows: least, isOrderProven: direction !== null, begun };
  }

  /** Learns how much the service answers. Windows that did not fully count may count after this. */
  learn(answer: Answer): void {
    const before = this.#uncommitted.checkpoint;
    this.#uncommitted.apply(...findingsOfAnswer(answer, before));
    if (!cutsAlike(before, this.#uncommitted.checkpoint)) {
      this.#reconsider();
    }
  }

  /** Records what is known of the order. Returns true when the order was refuted just now. */
  noteOrder(): boolean {
    const { order: before } = this.#uncommitted.checkpoint;
    const isFoundOut = this.order.isRefuted && !before.refuted;
    // What was rechecked by this order must be rechecked again. The commit that withdraws the order says so
    // too.
    this.#uncommitted.apply({ kind: "order", order: this.order.state });
    this.#uncommitted.setCheckpoint(isFoundOut ? { rechecks: this.#rechecks } : {});
    if (provenDirection(before) !== this.order.direction) {
      this.#reconsider();
    }
    return isFoundOut;
  }

  /** Called when something new is known of how the service cuts answers. */
  #reconsider(): void {
    this.#partial = this.#partial.flatMap((one) => this.#reconsidered(one));
  }

  /** Returns what still does not count. */
  #reconsidered(one: Partial): readonly Partial[] {
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

  /** A dated chain has ended. Credits the part of its window that is covered. */
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

  /**
   * What an answer's coverage depends on. If a cap may have ended it, it is covered up to its last row only
   * while the order holds.
   */
  #restsOn(answer: Answer): Ended {
    const isInOrder = answer.came !== null && answer.came !== "mixed" && !this.order.isRefuted;
    return isInOrder && mayBeCapped(answer, this.#cuts) ? "order" : answer.ended;
  }

  /** Notes the silence beside the rows of an answer of at most one page, which does not count yet. */
  #hearBeside({ from, to, asked, pages, sent, lowest, highest }: Answer, covered: TimeRange | null): void {
    if (pages > 1 || sent >= this.#cuts.pageRows || lowest === null || highest === null) {
      return;
    }
    const rest = subtract({ from, to }, covered === null ? [] : [covered]);
    for (const silent of rest.flatMap((one) => subtract(one, [{ from: lowest, to: highest + 1 }]))) {
      this.silent.hear(silent, asked);
    }
  }

  /**
   * Windows whose rows have no order and may have been cut by a cap. They stay open until another answer
   * decides them. They are split when nothing else is left to ask.
   */
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

  /** Forgets what was learned from dates that are no longer trusted. */
  forget(): void {
    this.takeUndecided();
    this.#partial = [];
  }
}

function isAll(covered: TimeRange | null, { from, to }: TimeRange): boolean {
  return covered !== null && covered.from === from && covered.to === to;
}
