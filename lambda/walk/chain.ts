import { hash } from "node:crypto";
import type { OpenWindow } from "../archive/manifest.ts";
import type { EvidencePage } from "../archive/pages.ts";
import type { Clock } from "../clock.ts";
import { FillbookError } from "../errors.ts";
import { type Fill, identityOf } from "../model/fill.ts";
import { isoTime } from "../model/time.ts";
import type { PageAnswer, PageRequest, ServiceReader } from "../service/service.ts";
import { MARGIN_MS } from "./plan.ts";

/** Pages that are kept and committed together. */
export const SEGMENT_PAGES = 32;
/** Pages in a row without a row that is new to the chain: more than any sensible service sends, and an end to one that never ends. */
const MAX_BARREN_PAGES = 100;

/** Pages of one chain, and where the window stands after them. */
export interface Segment {
  readonly before: OpenWindow;
  readonly pages: readonly EvidencePage[];
  readonly fills: readonly Fill[];
  /** Without this segment's own evidence object, which has no name yet. */
  readonly after: OpenWindow;
}

export type ChainEnd =
  /** The chain ended as the interface says, with an answer without `last`; `seen` are the identities that it held. */
  | { readonly kind: "ended"; readonly seen: ReadonlySet<string> }
  /** The service did not take its own cursor. */
  | { readonly kind: "cursor-refused"; readonly status: number }
  /** A row lies outside what was asked: the dates, or the cursor, do not mean what they seem. */
  | { readonly kind: "stray"; readonly txCreated: number }
  /** The window cannot be read to its end. */
  | { readonly kind: "failed"; readonly problem: FillbookError };

export interface ChainPorts {
  readonly reader: ServiceReader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Takes the rows over, at once: after every full segment, at the end, and before an error leaves. */
  readonly emit: (segment: Segment) => void;
  /** Called after a segment that is not the chain's last: the moment to commit. */
  readonly settle: () => Promise<void>;
  readonly onPage: (fills: number) => void;
}

type Page = Extract<PageAnswer, { kind: "page" }>;

/**
 * Reads one window page by page to an answer without `last`. Rejects with what the reader rejects with (after emitting what was read), otherwise
 * says how the chain ended. Order, page sizes and repeats do not matter to it.
 */
export async function walkChain(
  ports: ChainPorts,
  window: OpenWindow,
  options: { seen?: Iterable<Fill> } = {},
): Promise<ChainEnd> {
  const chain = new Chain(window, options.seen ?? []);
  try {
    while (true) {
      const request = chain.request;
      const answer = await ports.reader.completedOrders(request, ports.signal);
      if (answer.kind === "cursor-refused") {
        chain.flush(ports);
        return answer;
      }
      const end = chain.take(request, answer, ports.clock.now());
      ports.onPage(answer.rows.length);
      if (end !== null) {
        chain.flush(ports);
        return end;
      }
      if (chain.isFull) {
        chain.flush(ports);
        await ports.settle();
      }
    }
  } catch (error) {
    chain.flush(ports);
    throw error;
  }
}

class Chain {
  #before: OpenWindow;
  #state: OpenWindow;
  #pages: EvidencePage[] = [];
  #fills: Fill[] = [];
  #barren = 0;
  readonly #seen: Set<string>;
  readonly #cursors = new Set<string>();

  constructor(window: OpenWindow, seen: Iterable<Fill>) {
    this.#before = window;
    this.#state = window;
    this.#seen = new Set(Array.from(seen, identityOf));
    if (window.cursor !== null) {
      this.#cursors.add(digest(window.cursor));
    }
  }

  get request(): PageRequest {
    const { dated, from, askTo, cursor } = this.#state;
    // A cursor may be bound to its dates: every page of a chain is asked with the same ones.
    const dates = dated ? { startDate: from - MARGIN_MS, endDate: askTo + MARGIN_MS } : {};
    return cursor === null ? dates : { ...dates, start: cursor };
  }

  get isFull(): boolean {
    return this.#pages.length >= SEGMENT_PAGES;
  }

  take(request: PageRequest, page: Page, now: number): ChainEnd | null {
    const number = this.#state.pages + 1;
    this.#pages.push({ request, body: page.body });
    this.#state = {
      ...this.#state,
      pages: number,
      pagesHash: digest(this.#state.pagesHash + digest(page.body)),
      cursor: page.last ?? null,
      cursorAt: page.last === undefined ? null : now,
    };
    const problem = this.#takeRows(page, number);
    if (problem !== null) {
      return problem;
    }
    return page.last === undefined ? { kind: "ended", seen: this.#seen } : this.#follow(page.last, number);
  }

  #takeRows(page: Page, number: number): ChainEnd | null {
    let fresh = 0;
    for (const [index, row] of page.rows.entries()) {
      if ("unfilable" in row) {
        return { kind: "failed", problem: this.#unfilable(number, index, row.unfilable) };
      }
      const { fill } = row;
      this.#fills.push(fill);
      if (this.#strays(fill)) {
        return { kind: "stray", txCreated: fill.txCreated };
      }
      const identity = identityOf(fill);
      if (this.#seen.has(identity)) {
        this.#state = { ...this.#state, duplicates: this.#state.duplicates + 1 };
        continue;
      }
      this.#seen.add(identity);
      this.#note(fill.txCreated);
      fresh += 1;
    }
    this.#barren = fresh === 0 ? this.#barren + 1 : 0;
    return null;
  }

  #strays({ txCreated }: Fill): boolean {
    const { dated, from, askTo } = this.#state;
    return dated && (txCreated < from - MARGIN_MS || txCreated > askTo + MARGIN_MS);
  }

  #note(time: number): void {
    const { lowest, highest } = this.#state;
    this.#state = {
      ...this.#state,
      lowest: lowest === null ? time : Math.min(lowest, time),
      highest: highest === null ? time : Math.max(highest, time),
    };
  }

  #follow(last: string, number: number): ChainEnd | null {
    const cursor = digest(last);
    if (this.#cursors.has(cursor)) {
      return this.#failed(`the service's cursors go in a circle: page ${number} answers one that was followed before`);
    }
    this.#cursors.add(cursor);
    if (this.#barren >= MAX_BARREN_PAGES) {
      return this.#failed(
        `${MAX_BARREN_PAGES} pages in a row up to page ${number} hold no new row, and there are more`,
      );
    }
    return null;
  }

  #failed(reason: string): ChainEnd {
    return {
      kind: "failed",
      problem: new FillbookError("incomplete", `window ${describe(this.#state)}: ${reason}`, {
        hint: "the window is not covered and its rows are kept; run again, and tell the service if it stays so",
      }),
    };
  }

  #unfilable(page: number, index: number, reason: string): FillbookError {
    return new FillbookError(
      "untrusted",
      `window ${describe(this.#state)}: page ${page}, row ${index + 1} cannot be filed: ${reason}`,
      { hint: "the window is not covered; the page is kept with the archive's evidence (pages/)" },
    );
  }

  flush({ emit }: ChainPorts): void {
    if (this.#pages.length === 0) {
      return;
    }
    const segment = { before: this.#before, pages: this.#pages, fills: this.#fills, after: this.#state };
    this.#before = this.#state;
    this.#pages = [];
    this.#fills = [];
    emit(segment);
  }
}

export function describe({ from, to, dated }: Pick<OpenWindow, "from" | "to" | "dated">): string {
  return `[${isoTime(from)}, ${isoTime(to)})${dated ? "" : ", asked without dates"}`;
}

function digest(text: string): string {
  return hash("sha256", text, "hex");
}
