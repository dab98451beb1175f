import { changeOf } from "../archive/merge.ts";
import { type Fill, identityOf } from "../core/fill.ts";
import { isInside, widthOf } from "../core/ranges.ts";
import { DAY_MS, isoTime, type TimeRange } from "../core/time.ts";
import type { PageRow } from "../formats/row.ts";
import type { PageAnswer } from "../service/service.ts";
import { type BorderOptions, Borders } from "./borders.ts";
import type { Refusal } from "./problems.ts";

/** What the pages of a chain say of its window. Pure. */

export interface ChainOptions extends BorderOptions {
  /** The dates that are asked for: the window and a margin. */
  readonly asked: TimeRange;
  /** After so many pages, if rows came in order, the rest of the window is left to others. Asked after each page. */
  readonly mostPages?: () => number;
  /** The answer should be one page: a full one counts as cut at once. */
  readonly isOnePage?: boolean;
  /** What the answer shows counts, even if it ignores the dates. */
  readonly isProbe?: boolean;
  /** The window is narrow: it is read to its end, however many pages it has, and behind a row that cannot be filed. */
  readonly readsOn?: boolean;
  /** So many rows of one chain were seen: no cap is below. */
  readonly most?: number;
  /** Wall time, ms UTC: rows of the future cannot be filed. */
  readonly now: number;
  /** Identities whose rows contradict each other. Those that are found are put in. */
  readonly contradicted: Set<string>;
}

export type ChainEnd =
  /** The window is read: there is no `last`, or it went on outside what was asked. */
  | { readonly kind: "whole"; readonly wentOn?: true }
  /** The one page is full: there may be more. */
  | { readonly kind: "cut" }
  /** The chain stopped, and left this part of its window. */
  | { readonly kind: "rest"; readonly rest: TimeRange }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The service cannot be asked any more. What came in order was read: `rest` is what is left. */
  | { readonly kind: "broken"; readonly cause: unknown; readonly rest: TimeRange };

/** What a chain brought, however it ended. No row of it may be dropped. */
export type ChainAnswer = Readonly<Pages> & { readonly end: ChainEnd };

/** Dates that are this far off are ignored ones, not rounded ones. */
const FAR_MS = 32 * DAY_MS;
/** Pages of a wide window that is not read in order. */
const LONG_PAGES = 64;
/** Pages in a row without a new row: new cursors are progress, up to here. */
const IDLE_PAGES = 500;
/** Clocks may differ by this much. A later row is from the future. */
const MOST_AHEAD_MS = DAY_MS;
/** What makes a trade: where two pages show other values, none of them is a newer version. */
const TRADE = ["market", "side", "quantity", "price"] as const;

export class Pages {
  readonly #window: TimeRange;
  readonly #options: ChainOptions;
  /** Each identity once, as it was shown last. */
  readonly fills = new Map<string, Fill>();
  /** What is to be filed: also the versions that were shown before the last ones. */
  readonly rows: Fill[] = [];
  readonly #cursors = new Set<string>();
  #bad: Refusal | null = null;
  pages = 0;
  /** The most rows of a page, and of one that another page followed. */
  longest = 0;
  followed = 0;
  /** The rows of the last page that brought new ones. */
  #before = 0;
  #isUp = true;
  #isDown = true;
  #last = Number.NaN;
  readonly #borders: Borders;
  /** The last page that was not empty was full. */
  wasFull = false;
  /** So many pages in a row brought nothing new. */
  idle = 0;

  constructor(window: TimeRange, options: ChainOptions) {
    this.#window = window;
    this.#options = options;
    this.#borders = new Borders(window, options);
  }

  /** A row that cannot be filed ends the chain, however it ends. */
  ended(end: ChainEnd): ChainAnswer {
    const isOver = end.kind === "broken" || (end.kind === "refused" && end.refusal.why === "ignored");
    return Object.assign(this, { end: this.#bad === null || isOver ? end : refused(this.#bad) });
  }

  brokenOff(cause: unknown): ChainAnswer {
    return this.ended({ kind: "broken", cause, rest: this.#rest() ?? this.#window });
  }

  /** Takes a page. Null: the chain goes on with its cursor. */
  take(page: Extract<PageAnswer, { kind: "page" }>): ChainEnd | null {
    const known = this.fills.size;
    this.pages += 1;
    this.longest = Math.max(this.longest, page.rows.length);
    const fills = page.rows.flatMap((row) => ("fill" in row ? row.fill : []));
    const isRepeated = fills.map((fill) => this.fills.has(identityOf(fill)));
    const own = new Map<string, Fill>();
    for (const [place, row] of page.rows.entries()) {
      const why = this.#unfilable(row, own);
      if (why !== null) {
        this.#bad ??= { why: "row", detail: `page ${this.pages}, row ${place + 1}: ${why}`, body: page.body };
      } else if ("fill" in row) {
        this.#note(row.fill);
      }
    }
    if (this.#bad !== null && this.#options.readsOn !== true) {
      return refused(this.#bad);
    }
    this.idle = this.fills.size === known ? this.idle + 1 : 0;
    if (this.idle === 0) {
      this.followed = Math.max(this.followed, this.#before);
      this.#before = page.rows.length;
    }
    const times = fills.map(({ txCreated }) => txCreated);
    if (this.#borders.lose(fills, isRepeated, page.last !== undefined)) {
      return this.#options.isProof === true
        ? { kind: "cut" }
        : refused({ why: "ties", detail: "more fills in one millisecond than pages tell apart" });
    }
    return this.#over(times, page.last);
  }

  /** Why a row cannot be filed; null: it can be. `own`: what its page has shown before it. */
  #unfilable(row: PageRow, own: Map<string, Fill>): string | null {
    if ("unfilable" in row) {
      return row.unfilable;
    }
    const { fill } = row;
    if (fill.txCreated > this.#options.now + MOST_AHEAD_MS) {
      return `txCreated is ${isoTime(fill.txCreated)}, which is in the future`;
    }
    const identity = identityOf(fill);
    const [beside, before] = [own.get(identity) ?? fill, this.fills.get(identity) ?? fill];
    const isOther = TRADE.some((key) => (before[key] ?? fill[key]) !== (fill[key] ?? before[key]));
    if (isOther || changeOf(beside.row, fill.row) === "changed") {
      this.#options.contradicted.add(identity);
    }
    if (this.#options.contradicted.has(identity)) {
      return "another row has its matchId and orderId, and says otherwise";
    }
    own.set(identity, fill);
    return null;
  }

  #note(fill: Fill): void {
    const time = fill.txCreated;
    this.#isUp &&= !(this.#last > time);
    this.#isDown &&= !(this.#last < time);
    this.#last = time;
    const identity = identityOf(fill);
    if (this.fills.get(identity)?.row !== fill.row) {
      this.rows.push(fill);
    }
    this.fills.set(identity, fill);
  }

  /** Whether the chain ends with this page. */
  #over(times: readonly number[], last: string | undefined): ChainEnd | null {
    const { isOnePage = false, isProof = false, full, most = 0 } = this.#options;
    const { from, to } = this.#window;
    const isFar = times.length > 0 && times.every((time) => time < from - FAR_MS || time > to + FAR_MS);
    if (this.pages === 1 && isFar) {
      return refused({ why: "ignored", detail: "the service ignores the dates" });
    }
    // An empty last page says of the page before that it was the last one.
    const isFull = times.length === 0 ? this.wasFull : times.length >= full;
    this.wasFull = isFull;
    if (last === undefined) {
      const isAll = this.#isBeyond && this.fills.size < most;
      return { kind: isFull && (isProof || isOnePage) && !isAll ? "cut" : "whole" };
    }
    const isCut = isOnePage && isFull && times.some((time) => isInside(this.#window, time));
    return isCut ? { kind: "cut" } : this.#goesOn(last);
  }

  /** Whether the chain ends although there is a cursor. */
  #goesOn(last: string): ChainEnd | null {
    const { isOrdered, readsOn = false, mostPages = () => Number.POSITIVE_INFINITY } = this.#options;
    if (this.#cursors.has(last)) {
      return refused({ why: "cursor", detail: "the service's cursors go round in a circle" });
    }
    this.#cursors.add(last);
    if (isOrdered && this.#isBeyond) {
      return { kind: "whole", wentOn: true };
    }
    if (this.idle >= IDLE_PAGES) {
      return refused({ why: "endless", detail: `${IDLE_PAGES} pages in a row brought nothing but cursors` });
    }
    const rest = this.pages >= mostPages() ? this.#rest() : null;
    if (rest !== null) {
      return { kind: "rest", rest };
    }
    const isLong = this.pages - this.idle >= LONG_PAGES && !(readsOn || (isOrdered && this.#isTold));
    return isLong ? refused({ why: "long", detail: "too many pages" }) : null;
  }

  get keepsTies(): boolean {
    return this.#borders.keepsTies;
  }

  /** Whether rows came in order and went past the far end of what was asked: nothing of it can be left. */
  get #isBeyond(): boolean {
    const { from, to } = this.#options.asked;
    return this.#isTold && (this.#isDown ? this.#last < from : this.#last > to);
  }

  /** Null: too few times to tell. */
  get order(): "up" | "down" | "mixed" | null {
    const order = this.#isUp ? "up" : "down";
    const none = this.#isUp ? null : "mixed";
    return this.#isTold ? order : none;
  }

  /** Rows came in order, and not all at one time. */
  get #isTold(): boolean {
    return this.#isUp !== this.#isDown;
  }

  /** What lies behind the last row. Its millisecond may go on, so it is left, too. */
  #rest(): TimeRange | null {
    const { from, to } = this.#window;
    const rest = this.#isDown ? { from, to: this.#last + 1 } : { from: this.#last, to };
    const isPart = rest.to > rest.from && rest.from >= from && rest.to <= to && widthOf(rest) < to - from;
    return isPart && this.#isTold && this.#options.isOrdered && this.#bad === null ? rest : null;
  }
}

export function refused(refusal: Refusal): ChainEnd {
  return { kind: "refused", refusal };
}
