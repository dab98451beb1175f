import type { OpenWindow } from "../archive/manifest.ts";
import type { Fill } from "../core/fill.ts";
import { Identities } from "../core/identities.ts";
import { isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { type CursorProbe, type Pages, spanOf, stepOf } from "./ask-cursors.ts";
import type { Chain } from "./chain.ts";
import type { Knowledge } from "./knowledge.ts";
import type { OrderProof } from "./order.ts";
import { MARGIN_MS } from "./window.ts";

/**
 * How many full pages of a chain are kept. A test window of a little more than one page must lie between
 * known rows.
 */
const PAGES = 3;
const LEAST_SHARE = 1.2;
/**
 * How many pages must follow each other in time before we take this as the service's way. Shuffled pages do
 * so once in 60 times, or once in 20,000 where rows came out of order.
 */
const LEAST_FOLLOWING = 5;
const LEAST_FOLLOWING_REFUTED = 8;
/** How many of the milliseconds in which pages ended are asked for by themselves. */
const MOST_ENDS = 3;

/**
 * Chooses windows that show what cursors do. The interface does not say whether a cursor keeps the dates of
 * its chain, nor what happens to a millisecond in which a page ends.
 *
 * - A cursor that forgets the dates brings rows from outside a cut range. They would seem to prove a width.
 * - A cursor that is a time loses the fills for which the page had no room.
 * - A cursor that counts rows of the latest request brings rows of another window.
 *
 * So one window of a little more than a page is read again. It lies between known rows, and its first page
 * ends between two fills that are as close together as possible. If a page ended with several rows of one
 * time and the next page has none of that time, that millisecond is asked for by itself.
 */
export class CursorProof {
  #hasAskedDates = false;
  #hasAskedTies = false;
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;
  readonly #seen = new WeakMap<Chain, SeenPages>();
  /** How many milliseconds in which a page ended were asked for. */
  #endsAsked = 0;
  #isAsking = false;

  /**
   * Takes one page of a chain. Returns the next window to probe when enough is known, one at a time, until
   * `answered`. If pages do not follow each other in time, a probe would be too large; then the walk's own
   * windows show what happens to their dates.
   */
  offer(
    chain: Chain,
    fills: readonly Fill[],
    { pageRows, isRefuted }: Pick<OrderProof, "pageRows" | "isRefuted">,
    known: Pick<Knowledge, "cursorsProven" | "ties">,
  ): CursorProbe | null {
    for (const { txCreated } of fills) {
      this.#lowest = Math.min(this.#lowest, txCreated);
      this.#highest = Math.max(this.#highest, txCreated);
    }
    const isTold = known.ties !== undefined && (known.cursorsProven || this.#hasAskedDates);
    if (isTold || !chain.window.dated) {
      return null;
    }
    const seen = withPage(this.#seen.get(chain) ?? NO_PAGES, fills, PAGES * pageRows);
    this.#seen.set(chain, seen);
    const { pages, sign, following } = seen;
    const least = isRefuted ? LEAST_FOLLOWING_REFUTED : LEAST_FOLLOWING;
    const isInOrder = following >= least || (chain.isDone && following === chain.window.pages);
    if (sign === null || !isInOrder || this.#isAsking) {
      return null;
    }
    const last = pages.flat().toSorted((a, b) => sign * (a.txCreated - b.txCreated));
    const window = this.#endIn(last, pages.at(-1) ?? [], known) ?? this.#windowIn(last, pageRows, chain.isDone, known);
    this.#isAsking = window !== null;
    return window === null
      ? null
      : { window, fills: last.filter(({ txCreated }) => isWithin(window, txCreated)), span: spanOf(last) };
  }

  answered(): void {
    this.#isAsking = false;
  }

  #endIn(last: readonly Fill[], page: readonly Fill[], { ties }: Pick<Knowledge, "ties">): TimeRange | null {
    const end = ties === undefined && this.#endsAsked < MOST_ENDS ? endedTie(last, page) : null;
    this.#endsAsked += end === null ? 0 : 1;
    return end === null ? null : { from: end - 1, to: end + 2 };
  }

  #windowIn(
    last: readonly Fill[],
    pageRows: number,
    isDone: boolean,
    { cursorsProven, ties }: Pick<Knowledge, "cursorsProven" | "ties">,
  ): TimeRange | null {
    const isFull = last.length >= PAGES * pageRows;
    if (!(isFull || isDone)) {
      return null;
    }
    const windows = windowsIn(last, pageRows);
    const byTie = ties === undefined && !this.#hasAskedTies ? windows.find(({ gapMs }) => gapMs === 0) : undefined;
    const asksDates = isFull && !(cursorsProven || this.#hasAskedDates);
    const closest = windows.filter(({ isApart }) => isApart).sort((a, b) => a.gapMs - b.gapMs)[0];
    const window = byTie ?? (asksDates ? closest : undefined);
    this.#hasAskedDates ||= isFull && window !== undefined;
    this.#hasAskedTies ||= byTie !== undefined;
    return window?.range ?? null;
  }

  /**
   * True when the chain's cursors led to more rows, up to the end of its window, and to none of the known
   * rows beyond it.
   */
  hasKept(
    { askFrom, askTo, rows = 0 }: OpenWindow,
    { pageRows, state: { direction, refuted } }: Pick<OrderProof, "pageRows" | "state">,
  ): boolean {
    const [isBelow, isAbove] = [this.#lowest < askFrom - MARGIN_MS, this.#highest > askTo + MARGIN_MS];
    // The cursor of a last page may lead nowhere, and proves nothing. No single page is longer than the
    // fullest.
    if (rows <= pageRows || direction === null) {
      return false;
    }
    const isBeyond = direction === "descending" ? isBelow : isAbove;
    return isBeyond || (refuted && (isBelow || isAbove));
  }
}

type Timed = Pick<Fill, "txCreated">;

/** What is kept of a chain's pages. */
interface SeenPages {
  /** The new rows of the last pages. */
  readonly pages: Pages;
  /**
   * 1: pages follow each other up in time. -1: down. The order within a page does not matter. Null: the last
   * page does not follow the one before.
   */
  readonly sign: 1 | -1 | null;
  /** How many pages in a row do so, up to the last one. */
  readonly following: number;
}

const NO_PAGES: SeenPages = { pages: [], sign: null, following: 0 };

/** Adds a page. Drops pages that lie before the last `most` rows, or that the new page does not follow. */
function withPage({ pages, sign, following }: SeenPages, fills: readonly Fill[], most: number): SeenPages {
  const fresh = Identities.of(pages.flat()).addNew(fills);
  const before = pages.at(-1);
  if (fresh.length === 0) {
    return { pages, sign, following };
  }
  const step = before === undefined ? null : stepOf(spanOf(before), spanOf(fresh));
  if (before === undefined || step === null || (sign !== null && step !== sign)) {
    return { pages: [fresh], sign: null, following: 1 };
  }
  const all = [...pages, fresh];
  const isEnough = all.slice(1).flat().length >= most;
  return { pages: isEnough ? all.slice(1) : all, sign: step, following: following + 1 };
}

/**
 * The time in which the page before ended, if several of its rows have that time and the new page has none: a
 * cursor may have lost the others. `last`: rows in time order, the end of the page last.
 */
function endedTie(last: readonly Timed[], page: readonly Timed[]): number | null {
  const before = last.slice(0, last.length - page.length);
  const [other, end] = before.slice(-2).map(({ txCreated }) => txCreated);
  const isWhole = before[0]?.txCreated !== end; // all that the chain had of it is among them
  const isOver = page.length > 0 && page.every(({ txCreated }) => txCreated !== end);
  return end !== undefined && other === end && isWhole && isOver ? end : null;
}

/**
 * Windows of a little more than a page between known rows, and the distance of the two rows between which
 * their first page ends. `fills`: in time order, up or down.
 */
export function windowsIn(fills: readonly Timed[], pageRows: number) {
  const beyond = Math.ceil((LEAST_SHARE - 1) * pageRows);
  const time = (index: number) => fills[index]?.txCreated ?? 0;
  return fills.slice(0, Math.max(0, fills.length - pageRows)).flatMap((_, start) => {
    const next = start + pageRows;
    const last = Math.min(next + beyond, fills.length) - 1;
    const isCut = start > 0 && Math.abs(time(start - 1) - time(start)) > 2 * MARGIN_MS;
    const range = { from: Math.min(time(start), time(last)), to: Math.max(time(start), time(last)) + 1 };
    const gapMs = Math.abs(time(next - 1) - time(next));
    const isApart = last + 1 < fills.length && Math.abs(time(last + 1) - time(last)) > 2 * MARGIN_MS;
    return isCut ? [{ range, gapMs, isApart }] : [];
  });
}
