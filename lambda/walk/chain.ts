import type { OpenWindow } from "../archive/manifest.ts";
import type { Ended } from "../archive/manifest-entries.ts";
import type { Fill } from "../core/fill.ts";
import type { PageAnswer, PageRequest } from "../service/service.ts";
import type { ChainEnd, ChainOptions, ChainPorts } from "./chain-ports.ts";
import { PageAsker } from "./page-asker.ts";
import { MOST_ROWS } from "./plan.ts";
import { cannotBeRead, rowCannotBeFiled, whyNotFiled } from "./problems.ts";
import { RowSet } from "./row-set.ts";
import { RowTrail } from "./row-trail.ts";
import { WaitingSegment } from "./waiting-segment.ts";
import { MARGIN_MS, piecesOf, resumePoint } from "./window.ts";

/** The number of pages that are kept and committed together. */
export const SEGMENT_PAGES = 32;
/**
 * The most pages of one chain when another chain can continue from its last row. The bound keeps memory, and
 * what a resumed run reads again, independent of the account's size.
 */
const MOST_PAGES = 2 * SEGMENT_PAGES;

const NO_ROOM = "more fills share a millisecond than fit on a page, and the service's cursors skip the rest";

type Page = Extract<PageAnswer, { kind: "page" }>;

/** Reads one window page by page. See Chain. */
export async function walkChain(ports: ChainPorts, window: OpenWindow, options: ChainOptions = {}): Promise<ChainEnd> {
  return await new Chain(window, options).run(ports);
}

/**
 * Reads one window page by page, until an answer has no `last`. If the far end of the window was cut off and
 * the order is proven, it stops at the first row beyond the cut. It works with any page size, repeated rows,
 * and any order of rows before a cut.
 */
export class Chain {
  readonly #asker: PageAsker;
  readonly trail: RowTrail;
  readonly rows: RowSet;
  readonly #waiting: WaitingSegment;
  readonly #dropsTies: boolean;
  /** rows */
  readonly #fullPage: number;
  #state: OpenWindow;
  #isDone = false;

  constructor(window: OpenWindow, options: ChainOptions = {}) {
    const { seen = [], order, shortest, falseEnds = false, servesOnce = false, dropsTies = false } = options;
    this.#waiting = new WaitingSegment(window, options.memory);
    this.#state = window;
    this.#dropsTies = dropsTies;
    this.#fullPage = shortest ?? Number.POSITIVE_INFINITY;
    this.#asker = new PageAsker(shortest, falseEnds, servesOnce);
    this.trail = new RowTrail(window, order);
    this.rows = new RowSet(seen, window.cursor);
  }

  /** The window's state after the last page. */
  get window(): OpenWindow {
    return this.#state;
  }

  /** True when the last page has come, so that nothing can be cut off any more. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** `txCreated` of the last row in the direction of the rows. Null before the first row. */
  get edge(): number | null {
    return this.trail.edge(this.#state);
  }

  /**
   * Leaves everything beyond `time` to another chain. Later pages keep the dates of the request, because a
   * cursor may be bound to them.
   */
  cut(time: number): void {
    const isDescending = this.trail.order?.state.direction === "descending";
    this.#state = isDescending ? { ...this.#state, from: time, cut: "from" } : { ...this.#state, to: time, cut: "to" };
  }

  /**
   * Says how the chain ended. Rejects with the reader's error, after it has emitted the pages read so far.
   */
  async run(ports: ChainPorts): Promise<ChainEnd> {
    try {
      while (true) {
        const request = this.#request;
        const answer = await this.#asker.ask(ports, this.#state, request);
        const held = this.#waiting.fills.length;
        const end = answer.kind === "page" ? this.#take(request, answer, ports.clock.now()) : this.#refused(answer);
        this.#isDone = end !== null;
        if (answer.kind === "page") {
          ports.onPage(answer.rows.length, this.#waiting.fills.slice(held));
        }
        if (end !== null || this.#waiting.pages >= SEGMENT_PAGES) {
          this.#waiting.handOver(ports.emit, this.#state);
        }
        if (end !== null) {
          return end;
        }
        if (this.#waiting.pages === 0) {
          await ports.afterSegment();
        }
      }
    } catch (error) {
      this.#isDone = true;
      this.#waiting.handOver(ports.emit, this.#state);
      throw error;
    }
  }

  get #request(): PageRequest {
    const { dated, askFrom, askTo, cursor } = this.#state;
    // A cursor may be bound to its dates, so every page of a chain is asked for with the same dates.
    const dates = dated ? { startDate: askFrom - MARGIN_MS, endDate: askTo + MARGIN_MS } : {};
    return cursor === null ? dates : { ...dates, start: cursor };
  }

  #take(request: PageRequest, page: Page, now: number): ChainEnd | null {
    const { last } = page;
    const pages = this.#state.pages + 1;
    this.#waiting.addPage({ request, body: page.body });
    this.#state = { ...this.#state, pages, cursor: last ?? null, cursorAt: last === undefined ? null : now };
    const problem = this.#takeRows(request, page, now);
    if (problem !== null) {
      return problem;
    }
    const dropsTies = this.#dropsTies && this.#state.dated;
    // A cursor that loses ties does not announce them with `last` either.
    const mayLackTies = dropsTies && page.rows.length >= this.#fullPage;
    // A page that is not full has lost no ties, and its cursor leads to no more rows.
    const isShort = dropsTies && page.rows.length > 0 && !mayLackTies;
    if (isShort || (last === undefined && !mayLackTies)) {
      this.trail.end();
      return this.#ended("no-last");
    }
    if (this.#isBeyondCut) {
      return this.#ended("order");
    }
    const stop = mayLackTies ? this.#withoutCursor() : null;
    if (stop !== null) {
      return stop;
    }
    const circle = this.rows.problemOf(last ?? "", pages);
    return circle === null ? this.#long() : this.#circles(circle, request.start === "");
  }

  #circles(problem: string, byEmptyCursor: boolean): ChainEnd {
    const isEnd = byEmptyCursor && this.#state.dated; // as in #refused
    return isEnd ? this.#ended("no-last") : { kind: "failed", problem: cannotBeRead(this.#state, problem) };
  }

  /**
   * An empty cursor that leads nowhere, or back to the beginning, may mean the end. With dates, the time
   * after the last row is asked for anyway.
   */
  #refused(answer: Exclude<PageAnswer, Page>): ChainEnd {
    const { cursor, dated, pages } = this.#state;
    if (answer.kind !== "cursor-refused" || cursor !== "" || !dated) {
      return answer;
    }
    this.#state = { ...this.#state, pages: pages + 1 };
    return this.#ended("no-last");
  }

  #takeRows({ start }: PageRequest, { rows }: Page, now: number): ChainEnd | null {
    const fills: Fill[] = [];
    for (const [index, row] of rows.entries()) {
      const reason = whyNotFiled(row, now);
      if ("fill" in row) {
        fills.push(row.fill);
      }
      if (reason !== null) {
        this.#waiting.addFills(fills.slice(0, index));
        return { kind: "failed", problem: rowCannotBeFiled(this.#state, index + 1, reason) };
      }
    }
    this.#waiting.addFills(fills);
    const outside = fills.find((fill) => this.#isOutOfRange(fill));
    if (outside !== undefined) {
      return { kind: "out-of-range", txCreated: outside.txCreated };
    }
    const fresh = this.rows.take(fills);
    this.#state = { ...this.#state, duplicates: this.#state.duplicates + fills.length - fresh.length };
    this.#state = this.trail.after(
      this.#state,
      fresh.map(({ txCreated }) => txCreated),
    );
    const isFirstAgain = start === "" && fills.length > 0 && fresh.length === 0;
    return isFirstAgain && this.#state.dated ? this.#ended("no-last") : null; // as in #refused
  }

  #isOutOfRange({ txCreated }: Fill): boolean {
    const { dated, askFrom, askTo } = this.#state;
    return dated && (txCreated < askFrom - MARGIN_MS || txCreated > askTo + MARGIN_MS);
  }

  get #isBeyondCut(): boolean {
    const { cut, from, to, lowest, highest } = this.#state;
    const direction = this.trail.order?.direction ?? null;
    return (
      (cut === "from" && direction === "descending" && lowest !== null && lowest < from) ||
      (cut === "to" && direction === "ascending" && highest !== null && highest >= to)
    );
  }

  #ended(how: Ended): ChainEnd {
    return {
      kind: "ended",
      how,
      seen: this.rows.seen,
      middle: this.trail.middle,
      isBelieved: this.#asker.isBelieved,
    };
  }

  #long(): ChainEnd | null {
    const { order, samples } = this.trail;
    const direction = order?.direction ?? null;
    const isLong =
      order?.isRefuted === true
        ? (this.#state.rows ?? 0) >= MOST_ROWS && piecesOf(this.#state, samples).length > 0
        : direction !== null && this.#state.pages >= MOST_PAGES && resumePoint(this.#state, direction) !== null;
    return isLong ? { kind: "long", times: samples } : null;
  }

  #divided(time: number): ChainEnd {
    const { from, to } = this.#state;
    return from < time && time < to
      ? { kind: "long", times: [time] }
      : { kind: "failed", problem: cannotBeRead(this.#state, NO_ROOM) };
  }

  /**
   * The page covers its window up to the millisecond of its last row. If rows have no order, the window is
   * split.
   */
  #withoutCursor(): ChainEnd | null {
    const { direction, refuted } = this.trail.order?.state ?? { direction: null, refuted: false };
    const { from, to, lowest, highest } = this.#state;
    if (refuted) {
      return this.#divided(this.trail.middle ?? from);
    }
    if (direction === null || lowest === null || highest === null) {
      return null;
    }
    if (resumePoint(this.#state, direction) !== null) {
      return { kind: "long", times: [] };
    }
    const isDescending = direction === "descending";
    if (isDescending ? lowest < from : highest >= to) {
      return this.#ended("order");
    }
    // Ask for the rest of the window without that millisecond, and with margins that do not touch it.
    const beside = isDescending ? lowest - 2 * MARGIN_MS : highest + 1 + 2 * MARGIN_MS;
    return this.#divided(beside);
  }
}
