import type { OpenWindow } from "../archive/manifest.ts";
import { holds, isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { safeWidth } from "./clamp-proof.ts";
import { silentWidth } from "./plan.ts";
import { afterBreak, brokenBy, isBelieved, noSilence, type Silence, silentIn, withoutTimes } from "./silence.ts";
import type { UncommittedChanges } from "./uncommitted-changes.ts";
import { askedBy } from "./window.ts";

/**
 * Keeps where a run found silence, what it believed because of that, and which known rows were missing from
 * an empty answer.
 */
export class SilentRanges {
  readonly #uncommitted: UncommittedChanges;
  readonly #range: TimeRange;
  #silence: Silence;
  /** Ranges that count because no row came, as long as no such answer was seen to be false. */
  #believed: readonly TimeRange[] = [];
  /** Ranges that count unless there is a clamp. */
  #unclamped: readonly TimeRange[] = [];
  /**
   * Times of rows at which an answer ended that a cap could have cut. An empty answer for such a time is
   * false.
   */
  readonly #ends: number[] = [];
  /** How often a row of each time did not come when only that time was asked for. */
  readonly #missed = new Map<number, number>();

  constructor(uncommitted: UncommittedChanges, range: TimeRange) {
    this.#uncommitted = uncommitted;
    this.#range = range;
    this.#silence = noSilence(uncommitted.checkpoint.falseEnds === true);
  }

  get heard(): Silence {
    return this.#silence;
  }

  /** True when a known row never came by its own time: the dates go by another time. */
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

  /**
   * An empty answer covers its range if it was asked for often enough and narrowly enough. True: earlier
   * beliefs are withdrawn.
   */
  onEmpty(window: OpenWindow): boolean {
    const { checkpoint } = this.#uncommitted;
    const asked = askedBy(window);
    const isRecheck = checkpoint.rechecks.some((one) => isWithin(one, window.from));
    const isSafe = asked.to - asked.from <= safeWidth(checkpoint.proven);
    const isNarrow = isSafe || window.to - window.from <= silentWidth(this.#range, checkpoint, isRecheck);
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

  /** Rows came at these times. True: earlier beliefs are withdrawn. */
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

  /** An answer looked like the last page of its chain and was not. True: earlier beliefs are withdrawn. */
  onFalseEnd(): boolean {
    return this.#uncommitted.checkpoint.falseEnds !== true && this.#break("false", []);
  }

  /** True when rows came in a range that was assumed to have none. */
  isAssumed(times: readonly number[]): boolean {
    const { assumed = [] } = this.#uncommitted.checkpoint;
    return times.some((time) => holds(assumed, time));
  }

  /** A clamp was seen: nothing is assumed any more. */
  sawClamp(): void {
    this.#uncommitted.doubt(this.#uncommitted.checkpoint.assumed ?? []);
    this.#uncommitted.apply({ kind: "clamp" });
    this.#uncommitted.setCheckpoint({ assumed: [] });
  }

  /**
   * The answer is empty although a row of its time is known: by mistake; or by a clamp, if the request was
   * wider than what is known to be answered whole.
   */
  #missKnown(time: number, isSafe: boolean): boolean {
    if (isSafe) {
      this.#missed.set(time, (this.#missed.get(time) ?? 0) + 1);
      return this.#break("false", [time]);
    }
    const isBroken = this.#break("clamped", [time]);
    this.#uncommitted.apply({ kind: "clamp" });
    return isBroken;
  }

  /**
   * Rows came where an answer had none. The first mistake of its kind withdraws all earlier beliefs, a later
   * one only these times.
   */
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
