import type { Direction, Order } from "../archive/manifest.ts";

/** Shuffled pages come in the right order once in a million times. */
const PROVEN = Math.log(1e6);

/**
 * The direction that the walk may rely on, or null. Pages must have come in it, and the rows at the end of an
 * answer too.
 */
export function provenDirection({ direction, evidence, refuted, endSeen }: Order): Direction | null {
  return !refuted && evidence >= PROVEN && endSeen === true ? direction : null;
}

/** What one chain has shown of the order so far. */
export interface OrderWatch {
  /** `txCreated` of its last row; null before the first. */
  readonly edge: number | null;
  /** True when its rows have different times. Rows of one time say nothing about the order. */
  readonly isTelling: boolean;
  /** Rows since its last whole page, and pages. */
  readonly rows: number;
  readonly pages: number;
}

/** For one chain. `edge`: the `txCreated` of the last row so far, if the chain is resumed. */
export function watchFrom(edge: number | null = null): OrderWatch {
  return { edge, isTelling: false, rows: 0, pages: 0 };
}

/**
 * The order after more rows of one chain. `times`: of the rows that are new, as they came. `pageRows` of them
 * count as one page.
 *
 * The measure is a probability: k pages that are sorted only inside could come in k! orders. Chains multiply.
 * A single row out of order refutes the order for good.
 */
export function orderAfter(
  known: Order,
  before: OrderWatch,
  times: readonly number[],
  pageRows: number,
): { readonly order: Order; readonly watch: OrderWatch } {
  let order = known;
  let { edge, isTelling } = before;
  for (const time of times) {
    if (edge !== null && time !== edge) {
      order = agreeing(order, time < edge ? "descending" : "ascending");
      isTelling = true;
    }
    edge = time;
  }
  const rows = before.rows + times.length;
  const isMoved = edge !== before.edge; // a page of ties shows nothing
  if (!isMoved || rows < pageRows) {
    return { order, watch: { edge, isTelling, rows, pages: before.pages } };
  }
  const pages = before.pages + 1;
  const evidence = order.evidence + Math.log(pages);
  return { order: { ...order, evidence }, watch: { edge, isTelling, rows: 0, pages } };
}

function agreeing(order: Order, direction: Direction): Order {
  if (order.direction === null) {
    return { ...order, direction };
  }
  return order.direction === direction ? order : { ...order, refuted: true };
}

/**
 * Proves that the service sends rows in one direction of `txCreated`, from page to page. Only then may a
 * chain end before its last page. The interface says that rows are sorted. It does not say which way, nor
 * whether the order holds across pages.
 */
export class OrderProof {
  #state: Order;
  #pageRows = 1;

  /**
   * `goesOn`: this run continues an interrupted run, and keeps what it saw. Otherwise an unfinished proof is
   * dropped, because each night shows some of the same pages again.
   */
  constructor(known: Order, { goesOn = true }: { goesOn?: boolean } = {}) {
    this.#state = goesOn || known.evidence >= PROVEN ? known : { ...known, evidence: 0 };
  }

  get state(): Order {
    return this.#state;
  }

  /** As in `provenDirection`. */
  get direction(): Direction | null {
    return provenDirection(this.#state);
  }

  get isRefuted(): boolean {
    return this.#state.refuted;
  }

  /** Rows of the fullest page of this run. As many new rows of a chain count as one page. */
  get pageRows(): number {
    return this.#pageRows;
  }

  /** As in `orderAfter`. */
  take(watch: OrderWatch, times: readonly number[]): OrderWatch {
    this.#pageRows = Math.max(this.#pageRows, times.length);
    const after = orderAfter(this.#state, watch, times, this.#pageRows);
    this.#state = after.order;
    return after.watch;
  }

  /** A chain was read to its end and its rows came in order. */
  end({ isTelling }: OrderWatch): void {
    this.#state = isTelling ? { ...this.#state, endSeen: true } : this.#state;
  }
}
