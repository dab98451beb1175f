import type { Direction, Order } from "../archive/manifest.ts";

/** Pages in a shuffled order come in the right one once in a million. */
const PROVEN = Math.log(1e6);

/** The direction that the walk may rest on, or null: pages came in it, and so did the rows at the end of an answer. */
export function provenDirection({ direction, evidence, refuted, endSeen }: Order): Direction | null {
  return !refuted && evidence >= PROVEN && endSeen === true ? direction : null;
}

/**
 * Whether the service sends what it was asked for in one direction of `txCreated`, from page to page: only then may a chain be ended before
 * its last page. The interface says that rows are sorted; not which way, nor whether across pages.
 *
 * The measure is the chance that pages which are sorted only inside came as they did: k pages of one chain have k! orders. Chains multiply. One
 * row out of order, ever, refutes it for good.
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

  /** For one chain; `edge` is the `txCreated` of its last row so far, of a chain that goes on. */
  watch(edge: number | null = null): OrderWatch {
    return new OrderWatch(this, edge);
  }

  sawPage(rows: number): void {
    this.#pageRows = Math.max(this.#pageRows, rows);
  }

  agree(direction: Direction): void {
    if (this.#state.direction === null) {
      this.#state = { ...this.#state, direction };
    } else if (this.#state.direction !== direction) {
      this.refute();
    }
  }

  /** The chain's `page`-th page came in order. */
  support(page: number): void {
    this.#state = { ...this.#state, evidence: this.#state.evidence + Math.log(page) };
  }

  refute(): void {
    this.#state = { ...this.#state, refuted: true };
  }

  /** A chain was read to its end, and its rows came in order. */
  sawEnd(): void {
    this.#state = { ...this.#state, endSeen: true };
  }
}

class OrderWatch {
  readonly #proof: OrderProof;
  #edge: number | null;
  /** Whether it had rows of different times. */
  #isTelling = false;
  #rows = 0;
  #pages = 0;

  constructor(proof: OrderProof, edge: number | null) {
    this.#proof = proof;
    this.#edge = edge;
  }

  /** Times of rows that are new to the chain, as they came. */
  take(times: readonly number[]): void {
    let edge = this.#edge;
    for (const time of times) {
      if (edge !== null && time !== edge) {
        this.#proof.agree(time < edge ? "descending" : "ascending");
        this.#isTelling = true;
      }
      edge = time;
    }
    this.#proof.sawPage(times.length);
    this.#rows += times.length;
    const isMoved = edge !== this.#edge; // a page of ties shows nothing
    this.#edge = edge;
    if (isMoved && this.#rows >= this.#proof.pageRows) {
      this.#rows = 0;
      this.#pages += 1;
      this.#proof.support(this.#pages);
    }
  }

  /** The answer is over: rows of one time show nothing of its order. */
  end(): void {
    if (this.#isTelling) {
      this.#proof.sawEnd();
    }
  }
}

export type { OrderWatch };
