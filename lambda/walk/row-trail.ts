import type { OpenWindow } from "../archive/manifest.ts";
import { type OrderProof, type OrderWatch, watchFrom } from "./order.ts";
import { cameAfter } from "./row-order.ts";

/** How many times of each page are kept, to choose where to cut its window. */
const SAMPLES = 8;

/** Rows per ms: of the last page that had rows, and of all that this run has read of a chain. */
export interface Density {
  readonly last: number;
  readonly mean: number;
}

/** Follows the rows of one chain: how far they have come, in which order, and how dense they are. */
export class RowTrail {
  readonly order: OrderProof | undefined;
  readonly #firstEdge: number | null;
  readonly #samples: number[] = [];
  #watch: OrderWatch;
  #rows = 0;
  #lastOwnRows = 0;
  #density: Density | null = null;

  constructor(window: OpenWindow, order: OrderProof | undefined) {
    this.order = window.dated ? order : undefined;
    this.#firstEdge = this.edge(window);
    this.#watch = watchFrom(this.#firstEdge);
  }

  get density(): Density | null {
    return this.#density;
  }

  /** Rows of the last page that are new to the chain and lie in its window. */
  get lastOwnRows(): number {
    return this.#lastOwnRows;
  }

  /** Some times of each page, in the order in which they came. */
  get samples(): readonly number[] {
    return this.#samples;
  }

  /** About the median of the rows' times. Null: no rows. */
  get middle(): number | null {
    const sorted = this.#samples.toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? null;
  }

  /** `txCreated` of the row that is furthest in the direction of the rows. Null before the first row. */
  edge({ lowest, highest }: OpenWindow): number | null {
    return this.order?.state.direction === "ascending" ? highest : lowest;
  }

  /** The answer has ended. */
  end(): void {
    this.order?.end(this.#watch);
  }

  /** The window after the new rows of a page. */
  after(window: OpenWindow, times: readonly number[]): OpenWindow {
    this.#watch = this.order?.take(this.#watch, times) ?? this.#watch;
    this.#rows += times.length;
    this.#lastOwnRows = times.filter((time) => window.from <= time && time < window.to).length;
    if (times[0] === undefined) {
      return window;
    }
    const every = Math.ceil(times.length / SAMPLES);
    this.#samples.push(...times.filter((_, place) => place % every === 0));
    const lowest = times.reduce((least, time) => Math.min(least, time), window.lowest ?? times[0]);
    const highest = times.reduce((most, time) => Math.max(most, time), window.highest ?? times[0]);
    const rows = (window.rows ?? 0) + times.length;
    const after = { ...window, lowest, highest, rows, ...cameAfter(window, times) };
    const edge = this.edge(after);
    if (edge !== null && times.length > 1) {
      const per = (count: number, start: number) => count / Math.max(1, Math.abs(edge - start));
      const first = this.edge(window) ?? times[0];
      this.#density = { last: per(times.length, first), mean: per(this.#rows, this.#startOf(window)) };
    }
    return after;
  }

  /**
   * Where counting began: at the end of the window from which rows come, or where it stood when this run
   * resumed it.
   */
  #startOf({ askFrom, askTo }: OpenWindow): number {
    return this.#firstEdge ?? (this.order?.state.direction === "ascending" ? askFrom : askTo);
  }
}
