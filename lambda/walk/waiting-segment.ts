import type { OpenWindow } from "../archive/manifest.ts";
import { PageMemory, type RawResponse, WaitingPages } from "../archive/raw-responses.ts";
import type { Fill } from "../core/fill.ts";
import type { ChainPorts } from "./chain-ports.ts";

/** The pages of one chain that are not handed over yet. */
export class WaitingSegment {
  readonly #pages: WaitingPages;
  #fills: Fill[] = [];
  /** The state of the window before them. */
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

  /** `after`: the state of the window now. */
  handOver(emit: ChainPorts["emit"], after: OpenWindow): void {
    if (this.#pages.count === 0) {
      return;
    }
    const segment = { before: this.#before, rawResponses: () => this.#pages.encode(), fills: this.#fills, after };
    this.#before = after;
    this.#fills = [];
    try {
      emit(segment);
    } finally {
      // Drop the rows even if emit failed, so that the window cannot resume without them.
      this.#pages.clear();
    }
  }
}
