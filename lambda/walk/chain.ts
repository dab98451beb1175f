import { hash } from "node:crypto";
import type { Ended, OpenWindow } from "../archive/manifest.ts";
import { WaitingPages } from "../archive/pages.ts";
import { FillbookError } from "../errors.ts";
import type { Fill } from "../model/fill.ts";
import { Identities } from "../model/identities.ts";
import { DAY_MS, isoTime } from "../model/time.ts";
import type { PageAnswer, PageRequest } from "../service/service.ts";
import type { ChainEnd, ChainPorts } from "./chain-ports.ts";
import type { OrderProof, OrderWatch } from "./order.ts";
import { atEdge, MARGIN_MS, MOST_ROWS, piecesOf } from "./plan.ts";
import { cameAfter, isTie } from "./row-order.ts";
import { askingsNeeded } from "./silence.ts";

/** Pages that are kept and committed together. */
export const SEGMENT_PAGES = 32;
/** Pages of one chain, once another can go on from its last row: so that what is held and what a run takes up again does not grow with the account. */
const MOST_PAGES = 2 * SEGMENT_PAGES;
/** Pages in a row without a row that is new to the chain: more than any sensible service sends, and an end to one that never ends. */
const MAX_BARREN_PAGES = 100;
/** The clocks of the service and of this machine may differ; a row that is further ahead has a time that is none. */
const MOST_AHEAD_MS = DAY_MS;

/** Times of a page that are kept, to say where to cut its window. */
const SAMPLES = 8;

type Page = Extract<PageAnswer, { kind: "page" }>;

export interface ChainOptions {
  /** Fills that an earlier run read in this window. */
  readonly seen?: Iterable<Fill>;
  /** Learns from the order of the rows; absent: the chain is read to its last page whatever the order. */
  readonly order?: OrderProof;
  /** Rows of the shortest page after which another came, in other chains; absent: not known. */
  readonly shortest?: number;
  /** Ends that were none are known of the service. */
  readonly falseEnds?: boolean;
}

export interface Density {
  readonly last: number;
  readonly mean: number;
}

/** Reads one window page by page: see Chain. */
export async function walkChain(ports: ChainPorts, window: OpenWindow, options: ChainOptions = {}): Promise<ChainEnd> {
  return await new Chain(window, options).run(ports);
}

/**
 * One window, read page by page to an answer without `last`; or, where its far end was cut off and the order is proven, to a row beyond the cut. Page sizes and
 * repeats do not matter to it, nor does the order before a cut.
 */
export class Chain {
  #before: OpenWindow;
  #state: OpenWindow;
  readonly #pages = new WaitingPages();
  #fills: Fill[] = [];
  #barren = 0;
  /** Rows of the shortest page that had some, and a `last`: this chain's, or as known before it. */
  #shortest: number;
  /** So often an answer is asked for that may have been cut. */
  #askings: number;
  #isBelieved = false;
  #isDone = false;
  #density: Density | null = null;
  #rows = 0;
  #lastOwnRows = 0;
  readonly #seen = new Identities();
  readonly #cursors = new Set<string>();
  /** Some times of each page. */
  readonly #samples: number[] = [];
  readonly #order: OrderProof | undefined;
  readonly #firstEdge: number | null;
  readonly #watch: OrderWatch | undefined;

  constructor(
    window: OpenWindow,
    { seen = [], order, shortest = Number.POSITIVE_INFINITY, falseEnds = false }: ChainOptions = {},
  ) {
    this.#shortest = shortest;
    this.#askings = askingsNeeded(falseEnds) - 1;
    this.#before = window;
    this.#state = window;
    for (const fill of seen) {
      this.#seen.add(fill);
    }
    this.#order = window.dated ? order : undefined;
    this.#firstEdge = this.edge;
    this.#watch = this.#order?.watch(this.#firstEdge);
    if (window.cursor !== null) {
      this.#cursors.add(digest(window.cursor));
    }
  }

  /** Where it stands, as of its last page. */
  get window(): OpenWindow {
    return this.#state;
  }

  /** Whether its last page has come: nothing is left to be cut off. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Rows per ms, in the last page that had some and in all that this run has read of it; null: not known yet. */
  get density(): Density | null {
    return this.#density;
  }

  /** Rows of its last page that were new to it and belong to its window. */
  get lastOwnRows(): number {
    return this.#lastOwnRows;
  }

  /** How far it has come in the direction of its rows: `txCreated` of the last; null before the first. */
  get edge(): number | null {
    const direction = this.#order?.state.direction ?? null;
    return direction === "ascending" ? this.#state.highest : this.#state.lowest;
  }

  /** Leaves what is beyond `time` to another chain. The dates of the pages to come stay as they are: a cursor may be bound to them. */
  cut(time: number): void {
    const isDescending = this.#order?.state.direction === "descending";
    this.#state = isDescending ? { ...this.#state, from: time, cut: "from" } : { ...this.#state, to: time, cut: "to" };
  }

  /**
   * Rejects with what the reader rejects with (after emitting what was read), otherwise says how the chain ended.
   */
  async run(ports: ChainPorts): Promise<ChainEnd> {
    try {
      while (true) {
        const request = this.#request;
        const answer = await this.#ask(ports, request);
        const held = this.#fills.length;
        const end = answer.kind === "page" ? this.#take(request, answer, ports.clock.now()) : answer;
        this.#isDone = end !== null;
        if (answer.kind === "page") {
          ports.onPage(answer.rows.length, this.#fills.slice(held));
        }
        if (end !== null || this.#pages.count >= SEGMENT_PAGES) {
          this.#flush(ports);
        }
        if (end !== null) {
          return end;
        }
        if (this.#pages.count === 0) {
          await ports.settle();
        }
      }
    } catch (error) {
      this.#isDone = true;
      this.#flush(ports);
      throw error;
    }
  }

  /** A page without `last` that is empty, or as full as others that had one, may have lost it: it is asked for again. */
  async #ask({ reader, signal, onFalseEnd }: ChainPorts, request: PageRequest): Promise<PageAnswer> {
    let answer = await reader.completedOrders(request, signal);
    this.#isBelieved = false;
    for (let asked = 1; answer.kind === "page" && this.#mayBeCut(answer); asked += 1) {
      if (asked >= this.#askings) {
        this.#isBelieved = true;
        break;
      }
      const other = await reader.completedOrders(request, signal);
      if (other.kind === "page" && (other.last !== undefined || other.rows.length > answer.rows.length)) {
        this.#askings = askingsNeeded(true) - 1;
        onFalseEnd?.();
      }
      answer = other.kind === "page" && other.last === undefined && other.rows.length === 0 ? answer : other;
    }
    return answer;
  }

  #mayBeCut({ rows, last }: Page): boolean {
    const isFirst = this.#state.pages === 0;
    const isFull = rows.length >= this.#shortest;
    if (last !== undefined && rows.length > 0) {
      this.#shortest = Math.min(this.#shortest, rows.length);
    }
    // A first page that is empty is silence, which the walk asks for again by itself; without dates there is nothing else to ask.
    const isEmpty = rows.length === 0 && !(isFirst && this.#state.dated);
    return last === undefined && (isFull || isEmpty || isTie(rows));
  }

  get #request(): PageRequest {
    const { dated, askFrom, askTo, cursor } = this.#state;
    // A cursor may be bound to its dates: every page of a chain is asked with the same ones.
    const dates = dated ? { startDate: askFrom - MARGIN_MS, endDate: askTo + MARGIN_MS } : {};
    return cursor === null ? dates : { ...dates, start: cursor };
  }

  #take(request: PageRequest, page: Page, now: number): ChainEnd | null {
    const number = this.#state.pages + 1;
    this.#pages.add({ request, body: page.body });
    this.#state = {
      ...this.#state,
      pages: number,
      cursor: page.last ?? null,
      cursorAt: page.last === undefined ? null : now,
    };
    const problem = this.#takeRows(page, number, now);
    if (problem !== null) {
      return problem;
    }
    if (page.last === undefined) {
      this.#watch?.end();
      return this.#ended("no-last");
    }
    if (this.#isBeyondCut) {
      return this.#ended("order");
    }
    return this.#follow(page.last, number) ?? (this.#isLong ? { kind: "long", times: this.#samples } : null);
  }

  #ended(how: Ended): ChainEnd {
    const samples = this.#samples.toSorted((a, b) => a - b);
    const middle = samples[samples.length >> 1] ?? null;
    return { kind: "ended", how, seen: this.#seen, middle, isBelieved: this.#isBelieved };
  }

  #takeRows(page: Page, number: number, now: number): ChainEnd | null {
    const fresh: number[] = [];
    for (const row of page.rows) {
      if ("unfilable" in row) {
        return { kind: "failed", problem: this.#unfilable(number, page.rows.indexOf(row), row.unfilable) };
      }
      const { fill } = row;
      if (fill.txCreated > now + MOST_AHEAD_MS) {
        const reason = `txCreated is ${isoTime(fill.txCreated)}, which is in the future`;
        return { kind: "failed", problem: this.#unfilable(number, page.rows.indexOf(row), reason) };
      }
      this.#fills.push(fill);
      if (this.#strays(fill)) {
        return { kind: "stray", txCreated: fill.txCreated };
      }
      const known = this.#seen.size;
      if (this.#seen.add(fill) < known) {
        this.#state = { ...this.#state, duplicates: this.#state.duplicates + 1 };
      } else {
        fresh.push(fill.txCreated);
      }
    }
    this.#barren = fresh.length === 0 ? this.#barren + 1 : 0;
    this.#note(fresh);
    return null;
  }

  #strays({ txCreated }: Fill): boolean {
    const { dated, askFrom, askTo } = this.#state;
    return dated && (txCreated < askFrom - MARGIN_MS || txCreated > askTo + MARGIN_MS);
  }

  #note(times: readonly number[]): void {
    const before = this.edge;
    const { from, to } = this.#state;
    let lowest = this.#state.lowest ?? Number.POSITIVE_INFINITY;
    let highest = this.#state.highest ?? Number.NEGATIVE_INFINITY;
    let own = 0;
    for (const time of times) {
      lowest = Math.min(lowest, time);
      highest = Math.max(highest, time);
      own += from <= time && time < to ? 1 : 0;
    }
    if (times[0] !== undefined) {
      const every = Math.ceil(times.length / SAMPLES);
      this.#samples.push(...times.filter((_, place) => place % every === 0));
      const came = cameAfter(this.#state, times);
      this.#state = { ...this.#state, lowest, highest, rows: (this.#state.rows ?? 0) + times.length, ...came };
    }
    this.#watch?.take(times);
    this.#lastOwnRows = own;
    this.#rows += times.length;
    const first = before ?? times[0];
    if (first !== undefined && this.edge !== null && times.length > 1) {
      const per = (rows: number, start: number) => rows / Math.max(1, Math.abs((this.edge ?? start) - start));
      this.#density = { last: per(times.length, first), mean: per(this.#rows, this.#start) };
    }
  }

  /** Where its rows began to be counted: at the end of the window that they come from, or where it stood when this run took it up. */
  get #start(): number {
    const { askFrom, askTo } = this.#state;
    return this.#firstEdge ?? (this.#order?.state.direction === "ascending" ? askFrom : askTo);
  }

  get #isBeyondCut(): boolean {
    const { cut, from, to, lowest, highest } = this.#state;
    const direction = this.#order?.direction ?? null;
    return (
      (cut === "from" && direction === "descending" && lowest !== null && lowest < from) ||
      (cut === "to" && direction === "ascending" && highest !== null && highest >= to)
    );
  }

  get #isLong(): boolean {
    const direction = this.#order?.direction ?? null;
    if (this.#order?.isRefuted === true) {
      return (this.#state.rows ?? 0) >= MOST_ROWS && piecesOf(this.#state, this.#samples).length > 0;
    }
    return direction !== null && this.#state.pages >= MOST_PAGES && atEdge(this.#state, direction) !== null;
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

  #flush({ emit }: ChainPorts): void {
    if (this.#pages.count === 0) {
      return;
    }
    const evidence = () => this.#pages.encode();
    const segment = { before: this.#before, evidence, fills: this.#fills, after: this.#state };
    this.#before = this.#state;
    this.#fills = [];
    try {
      emit(segment);
    } finally {
      // What could not be taken over is not offered again: its rows are gone from here, and the window must not go on without them.
      this.#pages.clear();
    }
  }
}

export function describe({ from, to, dated }: Pick<OpenWindow, "from" | "to" | "dated">): string {
  return `[${isoTime(from)}, ${isoTime(to)})${dated ? "" : ", asked without dates"}`;
}

function digest(text: string): string {
  return hash("sha256", text, "hex");
}
