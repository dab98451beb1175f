import type { Direction, Order } from "../archive/manifest.ts";

/** Pages in a shuffled order come in the right one once in a million. */
const PROVEN = Math.log(1e6);

/** The direction that the walk may rest on, or null: pages came in it, and so did the rows at the end of an answer. */
export function provenDirection({ direction, evidence, refuted, endSeen }: Order): Direction | null {
  return !refuted && evidence >= PROVEN && endSeen === true ? direction : null;
}

/** What one chain has shown of the order so far. */
export interface OrderWatch {
  /** `txCreated` of its last row; null before the first. */
  readonly edge: number | null;
  /** Whether it had rows of different times: those of one time show nothing of the order at its end. */
  readonly isTelling: boolean;
  /** Rows since its last whole page, and pages. */
  readonly rows: number;
  readonly pages: number;
}

/** For one chain; `edge` is the `txCreated` of its last row so far, of a chain that goes on. */
export function watchFrom(edge: number | null = null): OrderWatch {
  return { edge, isTelling: false, rows: 0, pages: 0 };
}

/**
 * The order after more rows of one chain, of which `times` are those that are new to it, as they came; `pageRows` of them count as one page.
 *
 * The measure is the chance that pages which are sorted only inside came as they did: k pages of one chain have k! orders. Chains multiply. One
 * row out of order, ever, refutes it for good.
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
 * Whether the service sends what it was asked for in one direction of `txCreated`, from page to page, as a run knows it now: only then may a chain be ended before
 * its last page. The interface says that rows are sorted; not which way, nor whether across pages.
 */
export class OrderProof {
  #state: Order;
  #pageRows = 1;

  /**
   * `goesOn`: the run goes on where another stopped, with what that one saw. Else what falls short of proof is not carried over: each night shows some of the same
   * pages again.
   */
  constructor(known: Order, { goesOn = true }: { goesOn?: boolean } = {}) {
    this.#state = goesOn || known.evidence >= PROVEN ? known : { ...known, evidence: 0 };
  }

  get state(): Order {
    return this.#state;
  }

  /** As of `provenDirection`. */
  get direction(): Direction | null {
    return provenDirection(this.#state);
  }

  get isRefuted(): boolean {
    return this.#state.refuted;
  }

  /** Rows of the fullest page of this run: so many, new to their chain, count as one page. */
  get pageRows(): number {
    return this.#pageRows;
  }

  /** As of `orderAfter`. */
  take(watch: OrderWatch, times: readonly number[]): OrderWatch {
    this.#pageRows = Math.max(this.#pageRows, times.length);
    const after = orderAfter(this.#state, watch, times, this.#pageRows);
    this.#state = after.order;
    return after.watch;
  }

  /** A chain was read to its end, and its rows came in order. */
  end({ isTelling }: OrderWatch): void {
    this.#state = isTelling ? { ...this.#state, endSeen: true } : this.#state;
  }
}
