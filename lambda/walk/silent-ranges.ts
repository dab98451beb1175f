import type { OpenWindow } from "../archive/manifest.ts";
import { holds, isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { safeWidth } from "./clamp-proof.ts";
import { silentWidth } from "./plan.ts";
import { afterBreak, brokenBy, isBelieved, noSilence, type Silence, silentIn, withoutTimes } from "./silence.ts";
import type { UncommittedChanges } from "./uncommitted-changes.ts";
import { askedBy } from "./window.ts";

/** Where a run has heard nothing, what it has believed because of that, and which rows are known to be where an answer was empty. */
export class SilentRanges {
  readonly #uncommitted: UncommittedChanges;
  readonly #range: TimeRange;
  #silence: Silence;
  /** What counts because nothing came, or nothing more, so far as no such answer was seen to be false. */
  #believed: readonly TimeRange[] = [];
  /** What counts unless there is a clamp. */
  #unclamped: readonly TimeRange[] = [];
  /** Times of rows at which answers ended that a cap could have cut: an answer for one of them that is empty is false. */
  readonly #ends: number[] = [];
  /** How often a row of each of them did not come, in answers for it alone. */
  readonly #missed = new Map<number, number>();

  constructor(uncommitted: UncommittedChanges, range: TimeRange) {
    this.#uncommitted = uncommitted;
    this.#range = range;
    this.#silence = noSilence(uncommitted.checkpoint.falseEnds === true);
  }

  get heard(): Silence {
    return this.#silence;
  }

  /** A known row did not come by its own time, however often it was asked for: the dates go by another. */
  get isMisdated(): boolean {
    return [...this.#missed.values()].some((times) => times >= this.#silence.needed);
  }

  hear(range: TimeRange, asked: TimeRange): void {
    this.#silence = silentIn(this.#silence, range, asked);
  }

  believe(range: TimeRange): void {
    this.#believed = [...this.#believed, range];
  }

  takeForUnclamped(range: TimeRange): void {
    this.#unclamped = [...this.#unclamped, range];
  }

  /** Answers ended with rows at these times. */
  endedAt(times: readonly number[]): void {
    this.#ends.push(...times);
  }

  /** An answer without rows covers what it was asked for when that was asked often enough, and narrowly enough. True: what was believed before it is not any more. */
  onEmpty(window: OpenWindow): boolean {
    const { checkpoint } = this.#uncommitted;
    const asked = askedBy(window);
    const isAgain = checkpoint.again.some((one) => isWithin(one, window.from));
    const isSafe = asked.to - asked.from <= safeWidth(checkpoint.proven);
    const isNarrow = isSafe || window.to - window.from <= silentWidth(this.#range, checkpoint, isAgain);
    const known = this.#ends.find((time) => isWithin(window, time));
    if (known !== undefined) {
      return this.#missKnown(known, isSafe);
    }
    if (isNarrow && isBelieved(this.#silence, window, asked.to - asked.from)) {
      this.believe(window);
      this.#uncommitted.credit(window, { covered: window, ended: "no-last" }, isSafe ? 0 : window.to - window.from);
    } else {
      this.hear(window, asked);
    }
    return false;
  }

  /** Rows came at these times. True: what was believed before is not any more. */
  onRows(times: readonly number[]): boolean {
    for (const time of this.#missed.size === 0 ? [] : times) {
      this.#missed.delete(time);
    }
    const how = brokenBy(this.#silence, times, safeWidth(this.#uncommitted.checkpoint.proven));
    const isBroken = how !== null && this.#break(how, times);
    if (how === "clamped" || this.isAssumed(times)) {
      this.sawClamp();
    }
    return isBroken;
  }

  /** An answer that seemed to be its chain's last was none. True: what was believed before is not any more. */
  onFalseEnd(): boolean {
    return this.#uncommitted.checkpoint.falseEnds !== true && this.#break("false", []);
  }

  /** Whether there are rows although a range was assumed to have none. */
  isAssumed(times: readonly number[]): boolean {
    const { assumed = [] } = this.#uncommitted.checkpoint;
    return times.some((time) => holds(assumed, time));
  }

  /** Nothing is assumed any more. */
  sawClamp(): void {
    this.#uncommitted.doubt(this.#uncommitted.checkpoint.assumed ?? []);
    this.#uncommitted.apply({ kind: "clamp" });
    this.#uncommitted.setCheckpoint({ assumed: [] });
  }

  /** The answer is empty, although a row of its time is known: by mistake, or by a clamp if more was asked for than is known to be answered whole. */
  #missKnown(time: number, isSafe: boolean): boolean {
    if (isSafe) {
      this.#missed.set(time, (this.#missed.get(time) ?? 0) + 1);
      return this.#break("false", [time]);
    }
    const isBroken = this.#break("clamped", [time]);
    this.#uncommitted.apply({ kind: "clamp" });
    return isBroken;
  }

  /** There are rows at these times, although an answer had none there: the first mistake of its kind takes back what was believed before, a later one these times. */
  #break(how: "clamped" | "false", times: readonly number[]): boolean {
    const { falseEnds, clampSeen } = this.#uncommitted.checkpoint;
    if ((how === "false" ? falseEnds : clampSeen) === true) {
      this.#silence = withoutTimes(this.#silence, times);
      return false;
    }
    this.#silence = afterBreak(this.#silence, how);
    this.#uncommitted.doubt(this.#believed);
    this.#believed = [];
    if (how === "false") {
      this.#uncommitted.apply({ kind: "false-end" });
    } else {
      this.#uncommitted.doubt(this.#unclamped);
      this.#unclamped = [];
    }
    return true;
  }
}
