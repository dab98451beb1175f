import { isInside } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";

export interface BorderOptions {
  /** A page with fewer rows is not full. */
  readonly full: number;
  /** An answer that ends with a full page counts as cut: the second reading believes no cap. */
  readonly isProof?: boolean;
  /** True: cursors are known to bring the rest of a millisecond. */
  readonly keepsTies: boolean;
}

/** Whether rows may be lost between two pages. Pure. */
export class Borders {
  readonly #window: TimeRange;
  readonly #options: BorderOptions;
  keepsTies: boolean;
  /** The next page may have lost the rest of the millisecond in which this one ended. */
  #isDoubtful = false;
  /** The millisecond in which the page before ended. */
  #end: number | null = null;

  constructor(window: TimeRange, options: BorderOptions) {
    this.#window = window;
    this.#options = options;
    this.keepsTies = options.keepsTies;
  }

  /**
   * A cursor that tells only times loses the rest of a millisecond in which a page ends. Whether it does is seen
   * where the next page goes on in the same one. `times`: of a page's rows. `isRepeated`: of each, whether it was on
   * a page before. `isFollowed`: the page has a cursor.
   */
  lose(times: readonly number[], isRepeated: readonly boolean[], isFollowed: boolean): boolean {
    const [first, end] = [times[isRepeated.indexOf(false)] ?? null, times.at(-1) ?? null];
    if (end === null && isFollowed) {
      return false; // an empty page says nothing
    }
    const { full, isProof = false } = this.#options;
    const goesOn = first !== null && first === this.#end;
    const isDoubted = this.#isDoubtful && !goesOn;
    const isFull = times.length >= full;
    const isOne = isFull && times.every((time) => time === end);
    this.keepsTies ||= goesOn;
    this.#end = end;
    this.#isDoubtful = isProof ? isFull && end !== null && isInside(this.#window, end) : isOne;
    const isLost = !this.keepsTies && (isDoubted || (isOne && !isFollowed));
    return isLost || (isProof && isMixed(isRepeated));
  }
}

/** Rows may come again at the head of the next page. Behind new ones they say that each page has its own order. */
function isMixed(isRepeated: readonly boolean[]): boolean {
  const begin = isRepeated.indexOf(false);
  return begin !== -1 && isRepeated.includes(true, begin);
}
