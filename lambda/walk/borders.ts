import type { Fill } from "../core/fill.ts";
import { isInside } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";

export interface BorderOptions {
  /** A page with fewer rows is not full. */
  readonly full: number;
  /** An answer that ends with a full page counts as cut: the second reading believes no cap. */
  readonly isProof?: boolean;
  /** True: cursors are known to bring the rest of a millisecond. */
  readonly keepsTies: boolean;
  /** False: rows may come in any order, so no rest is left, and no cursor tells times and orders. */
  readonly isOrdered: boolean;
}

/**
 * Whether rows may be lost between two pages. A cursor that tells only times loses the rest of a millisecond in which
 * a page ends; one that tells times and orders, the rest of the last order in it. It is seen where a page goes on in
 * the same one that it does not. Pure.
 */
export class Borders {
  readonly #window: TimeRange;
  readonly #options: BorderOptions;
  keepsTies: boolean;
  #keepsOrders = false;
  /** The next page may have lost the rest of the millisecond in which this one ended. */
  #isDoubtful = false;
  /** The last row of the page before; and whether its order had more rows of its millisecond there. */
  #end: Fill | null = null;
  #isOfMany = false;

  constructor(window: TimeRange, options: BorderOptions) {
    this.#window = window;
    this.#options = options;
    this.keepsTies = options.keepsTies;
  }

  /** `fills`: a page. `isRepeated`: of each, whether it was on a page before. `isFollowed`: the page has a cursor. */
  lose(fills: readonly Fill[], isRepeated: readonly boolean[], isFollowed: boolean): boolean {
    const [first, end = null] = [fills[isRepeated.indexOf(false)], fills.at(-1)];
    if (end === null && isFollowed) {
      return false; // an empty page says nothing
    }
    const goesOn = first !== undefined && first.txCreated === this.#end?.txCreated;
    this.keepsTies ||= goesOn;
    this.#keepsOrders ||= isRepeated.includes(true) || (goesOn && first.orderId === this.#end?.orderId);
    const losesOrder = this.#options.isOrdered && goesOn && this.#isOfMany && !this.#keepsOrders;
    const losesTies = this.#isDoubtful && !goesOn;
    const isOne = this.#note(fills, end);
    const isLost = !this.keepsTies && (losesTies || (isOne && !isFollowed));
    return isLost || (this.#options.isProof === true && (losesOrder || isMixed(isRepeated)));
  }

  /** → whether it is a full page of one millisecond */
  #note(fills: readonly Fill[], end: Fill | null): boolean {
    const last = fills.filter(({ txCreated }) => txCreated === end?.txCreated).map(({ orderId }) => orderId);
    const isFull = fills.length >= this.#options.full;
    const isOne = isFull && last.length === fills.length;
    const isAtEnd = isFull && end !== null && isInside(this.#window, end.txCreated);
    this.#isDoubtful = this.#options.isProof === true ? isAtEnd : isOne;
    this.#end = end;
    this.#isOfMany = last.at(-1) === last.at(-2) && areTogether(last);
    return isOne;
  }
}

/** Whether the rows of an order come one after the other. */
function areTogether(orders: readonly string[]): boolean {
  return orders.every((one, place) => one === orders[place - 1] || orders.indexOf(one) === place);
}

/** Rows may come again at the head of the next page. Behind new ones they say that each page has its own order. */
function isMixed(isRepeated: readonly boolean[]): boolean {
  return isRepeated.includes(false) && isRepeated.includes(true, isRepeated.indexOf(false));
}
