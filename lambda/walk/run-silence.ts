import { isWithin } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import { afterBreak, brokenBy, isBelieved, noSilence, type Silence, silentIn, withoutTimes } from "./silence.ts";

/** What one run has heard nothing of, what it has believed because of that, and which rows are known to be where an answer was empty. */
export class RunSilence {
  #silence: Silence;
  /** What counts because nothing came, or nothing more, so far as no such answer was seen to be false. */
  #believed: readonly TimeRange[] = [];
  /** Times of rows at which answers ended that a cap could have cut: an answer for one of them that is empty is false. */
  readonly #ends: number[] = [];
  /** How often a row of each of them did not come, in answers for it alone. */
  readonly #missed = new Map<number, number>();

  constructor(falseEnds: boolean) {
    this.#silence = noSilence(falseEnds);
  }

  get heard(): Silence {
    return this.#silence;
  }

  hear(range: TimeRange, asked: TimeRange): void {
    this.#silence = silentIn(this.#silence, range, asked);
  }

  /** Whether one more empty answer for the range is enough. */
  isEnough(range: TimeRange): boolean {
    return isBelieved(this.#silence, range);
  }

  believe(range: TimeRange): void {
    this.#believed = [...this.#believed, range];
  }

  /** Answers ended with rows at these times. */
  endedAt(times: readonly number[]): void {
    this.#ends.push(...times);
  }

  /** A time of the range at which a row is known to be; null: none is known. */
  knownIn(range: TimeRange): number | null {
    return this.#ends.find((time) => isWithin(range, time)) ?? null;
  }

  miss(time: number): void {
    this.#missed.set(time, (this.#missed.get(time) ?? 0) + 1);
  }

  /** A known row did not come by its own time, however often it was asked for: the dates go by another. */
  get isMisdated(): boolean {
    return [...this.#missed.values()].some((times) => times >= this.#silence.needed);
  }

  /** What rows at these times say of the silence before, as of `brokenBy`. */
  rowsAt(times: readonly number[], safeMs: number): "clamped" | "false" | null {
    for (const time of this.#missed.size === 0 ? [] : times) {
      this.#missed.delete(time);
    }
    return brokenBy(this.#silence, times, safeMs);
  }

  /** The first mistake of its kind: what was believed before, which it gives back, has to be heard anew. */
  begin(how: "clamped" | "false"): readonly TimeRange[] {
    const believed = this.#believed;
    this.#silence = afterBreak(this.#silence, how);
    this.#believed = [];
    return believed;
  }

  /** A later mistake: these times alone are not silent. */
  except(times: readonly number[]): void {
    this.#silence = withoutTimes(this.#silence, times);
  }
}
