import type { OpenWindow } from "../archive/manifest.ts";
import { PageMemory, type RawResponse, WaitingPages } from "../archive/raw-responses.ts";
import type { Fill } from "../core/fill.ts";
import type { ChainPorts } from "./chain-ports.ts";

/** Pages of one chain that are not handed over yet, and what they hold. */
export class WaitingSegment {
  readonly #pages: WaitingPages;
  #fills: Fill[] = [];
  /** As its window stood before them. */
  #before: OpenWindow;

  constructor(window: OpenWindow, memory: PageMemory = new PageMemory()) {
    this.#pages = new WaitingPages(memory);
    this.#before = window;
  }

  get pages(): number {
    return this.#pages.count;
  }

  get fills(): readonly Fill[] {
    return this.#fills;
  }

  addPage(page: RawResponse): void {
    this.#pages.add(page);
  }

  addFills(fills: readonly Fill[]): void {
    this.#fills.push(...fills);
  }

  /** `after`: where its window stands now. */
  handOver(emit: ChainPorts["emit"], after: OpenWindow): void {
    if (this.#pages.count === 0) {
      return;
    }
    const segment = { before: this.#before, evidence: () => this.#pages.encode(), fills: this.#fills, after };
    this.#before = after;
    this.#fills = [];
    try {
      emit(segment);
    } finally {
      // What could not be taken over is not offered again: its rows are gone from here, and the window must not go on without them.
      this.#pages.clear();
    }
  }
}
