import type { OpenWindow, Order } from "../archive/manifest.ts";
import { Identities } from "../model/identities.ts";
import type { TimeRange } from "../model/time.ts";
import type { ServiceReader } from "../service/service.ts";
import type { Chain } from "./chain.ts";
import type { OrderProof } from "./order.ts";
import { MARGIN_MS } from "./plan.ts";

/** Full pages that a chain must have shown, so that a window of a little more than one lies between rows that are known. */
const PAGES = 3;
const LEAST_SHARE = 1.2;
/** Pages asked at most: without an order the window holds more than was seen of it. */
const MAX_PAGES = 8;

/**
 * The interface does not say whether a cursor keeps the dates of its chain. One that forgets them brings rows that a cut of the range had left out, which would seem
 * to prove widths that are none. So a window of a little more than a page, with known rows beyond both of its ends, is read once: a row from elsewhere shows it.
 */
export class CursorProof {
  #isOver: boolean;
  #lowest = Number.POSITIVE_INFINITY;
  #highest = Number.NEGATIVE_INFINITY;
  readonly #times = new WeakMap<Chain, number[]>();

  constructor(isProven: boolean) {
    this.#isOver = isProven;
  }

  /**
   * Times of a chain's page. Gives the window to be asked, once: when a chain has shown enough. Without an order it would hold too many pages; there the windows of the
   * walk show it themselves.
   */
  offer(chain: Chain, times: readonly number[], { pageRows, isRefuted }: Pick<OrderProof, "pageRows" | "isRefuted">) {
    let [lowest, highest] = [this.#lowest, this.#highest];
    for (const time of times) {
      lowest = Math.min(lowest, time);
      highest = Math.max(highest, time);
    }
    this.#lowest = lowest;
    this.#highest = highest;
    if (this.#isOver || isRefuted || !chain.window.dated) {
      return null;
    }
    const known = [...(this.#times.get(chain) ?? []), ...times];
    if (known.length < PAGES * pageRows) {
      this.#times.set(chain, known);
      return null;
    }
    this.#times.delete(chain);
    const window = middleOf(known, Math.ceil(LEAST_SHARE * pageRows));
    this.#isOver = window !== null;
    return window;
  }

  /** Whether the cursors of a chain that came to its last page led to the end of its window, and not to rows that are known beyond it. */
  hasKept({ askFrom, askTo, pages }: OpenWindow, { direction, refuted }: Order): boolean {
    const [isBelow, isAbove] = [this.#lowest < askFrom - MARGIN_MS, this.#highest > askTo + MARGIN_MS];
    if (pages < 2 || direction === null) {
      return false;
    }
    const isBeyond = direction === "descending" ? isBelow : isAbove;
    return isBeyond || (refuted && (isBelow || isAbove));
  }
}

/** A window around `rows` of the times, with others beyond its margins on both sides; null: they are too close. */
function middleOf(times: readonly number[], rows: number): TimeRange | null {
  const sorted = times.toSorted((a, b) => a - b);
  const start = Math.floor((sorted.length - rows) / 2);
  const [first, last] = [sorted.at(0), sorted.at(-1)];
  const [from, to] = [sorted[start], sorted[start + rows - 1]];
  if (first === undefined || last === undefined || from === undefined || to === undefined) {
    return null;
  }
  const isApart = first < from - 2 * MARGIN_MS && last > to + 2 * MARGIN_MS;
  return isApart ? { from, to: to + 1 } : null;
}

export interface AskedCursors {
  /** `forgotten`: a page by cursor held a row from elsewhere. `kept`: there were such pages with rows, and none did. `unknown`: there were none. */
  readonly cursors: "kept" | "forgotten" | "unknown";
  /** The answer was read to its last page. */
  readonly isAtEnd: boolean;
}

export async function askCursors(
  reader: Pick<ServiceReader, "completedOrders">,
  signal: AbortSignal,
  { from, to }: TimeRange,
  onPage: (rows: number, newTimes: readonly number[]) => void,
): Promise<AskedCursors> {
  const dates = { startDate: from - MARGIN_MS, endDate: to + MARGIN_MS };
  let start: { start?: string } = {};
  let byCursor = 0;
  let isAtEnd = false;
  const seen = new Identities();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await reader.completedOrders({ ...dates, ...start }, signal);
    if (answer.kind !== "page") {
      return { cursors: "unknown", isAtEnd };
    }
    const fills = answer.rows.flatMap((row) => ("fill" in row ? [row.fill] : []));
    const times = fills.map(({ txCreated }) => txCreated);
    const isNew = fills.map((fill) => {
      const known = seen.size;
      return seen.add(fill) === known;
    });
    onPage(
      answer.rows.length,
      times.filter((_, place) => isNew[place]),
    );
    if (times.some((time) => time < dates.startDate || time > dates.endDate)) {
      return { cursors: "forgotten", isAtEnd };
    }
    byCursor += page === 1 ? 0 : times.length;
    if (answer.last === undefined) {
      isAtEnd = true;
      break;
    }
    start = { start: answer.last };
  }
  return { cursors: byCursor > 0 ? "kept" : "unknown", isAtEnd };
}
