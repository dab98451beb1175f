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

/** Full pages of a chain that are looked at: a window of a little more than one lies between rows that are known. */
const PAGES = 3;
const LEAST_SHARE = 1.2;
/** Pages that follow each other in time before their service is taken to send them so: shuffled ones do once in 60 times; where rows came out of order, once in 20,000. */
const LEAST_FOLLOWING = 5;
const LEAST_FOLLOWING_REFUTED = 8;
/** Milliseconds in which pages ended that are asked for by themselves. */
const MOST_ENDS = 3;

/**
 * The interface does not say whether a cursor keeps the dates of its chain, nor what becomes of a millisecond in which a page ends. A cursor that forgets the dates brings
 * rows that a cut of the range had left out, which would seem to prove widths that are none; one that is a time leaves out the fills which the page had no room
 * for; one that counts the rows of whatever was asked last brings those of another window. So a window of a little more than a page, with known rows beyond its ends, is
 * read once, its page ending between two fills as close to each other as any. A page that ended with several rows of one time, of which the next has none, makes that
 * millisecond be asked for by itself.
 */
export class CursorProof {
  #hasAskedDates = false;
  #hasAskedTies = false;
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;
  readonly #seen = new WeakMap<Chain, SeenPages>();
  /** How often the millisecond was asked for in which a page had ended. */
  #endsAsked = 0;
  #isAsking = false;

  /**
   * A chain's page. Gives what is to be asked, when enough is known: one at a time, until it is `answered`. Where pages do not follow each other in time it would hold too
   * many; there the windows of the walk show what becomes of their dates.
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

  /** Whether the cursors of a chain that came to its last page led to more rows, to the end of its window, and not to rows that are known beyond it. */
  hasKept(
    { askFrom, askTo, rows = 0 }: OpenWindow,
    { pageRows, state: { direction, refuted } }: Pick<OrderProof, "pageRows" | "state">,
  ): boolean {
    const [isBelow, isAbove] = [this.#lowest < askFrom - MARGIN_MS, this.#highest > askTo + MARGIN_MS];
    // A cursor of a last page may lead nowhere, and shows nothing: no single page has more rows than the fullest.
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
  /** The last ones, the rows of each that were new. */
  readonly pages: Pages;
  /** 1: they follow each other up in time, -1: down, whatever the order of the rows in each; null: the last does not follow the one before. */
  readonly sign: 1 | -1 | null;
  /** How many do, up to the last. */
  readonly following: number;
}

const NO_PAGES: SeenPages = { pages: [], sign: null, following: 0 };

/** With one more; without the pages before its last `most` rows, and those that it does not follow. */
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

/** The time in which the page before ended, if it had several rows of it and the page has none: a cursor may have left out the others. `last`: in time order, the page's at the end. */
function endedTie(last: readonly Timed[], page: readonly Timed[]): number | null {
  const before = last.slice(0, last.length - page.length);
  const [other, end] = before.slice(-2).map(({ txCreated }) => txCreated);
  const isWhole = before[0]?.txCreated !== end; // all that the chain had of it is among them
  const isOver = page.length > 0 && page.every(({ txCreated }) => txCreated !== end);
  return end !== undefined && other === end && isWhole && isOver ? end : null;
}

/** Windows of a little more than a page between known rows, and how far apart the rows are between which their first page ends. `fills`: in time order, up or down. */
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
