import type { Direction, OpenWindow } from "../archive/manifest.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Chain } from "./chain.ts";
import type { OrderProof } from "./order.ts";
import { freshWindow } from "./window.ts";

/** Chances, as ln, that make it worth giving away a part before the order is proven: two pages of a chain came in order. */
const WORTH_TRYING = Math.log(2);
/** What a chain keeps at most for itself, pages by its present density: so the chains of a run stay near each other, and so do the parts they fill. */
const MOST_KEPT = 64;
/** Least pages that must seem left; where the order is not proven yet, the chain keeps enough of them to prove it alone. */
const LEAST_LEFT = 2;
const LEAST_LEFT_UNPROVEN = 16;
const LEAST_KEPT_UNPROVEN = 8;
/**
 * What splits may cost, in pages: half a page for each worker, and so many for each page read. A chain's last page is half empty, or goes half beyond its
 * cut, more or less: what it really was is counted when the chain has ended.
 */
const COST_PER_PAGE = 0.02;
const COST_OF_CHAIN = 0.5;
const NARROWEST_MS = 2 * SECOND_MS;

export interface Split {
  readonly victim: Chain;
  /** What its chain leaves, `txCreated`, ms: below it when the rows descend, from it on when they ascend. */
  readonly at: number;
  readonly part: OpenWindow;
}

export interface Spent {
  /** Of the last pages of chains that have ended: what held none of their own rows, in pages. */
  readonly wasted: number;
  readonly pages: number;
  readonly workers: number;
}

/**
 * Which chain gives its far part to an idle worker, and from where: the one with the most rows left, by the density of its last page. Where rows are even
 * that halves it; where they are dense, it keeps what is near. Null: nothing is worth it. See test/programs/cost for what this costs and gains.
 */
export function chooseSplit(
  chains: Iterable<Chain>,
  order: OrderProof,
  { wasted, pages, workers }: Spent,
): Split | null {
  const { direction, evidence, refuted } = order.state;
  const isProven = order.direction !== null;
  const [leastLeft, leastKept] = isProven ? [LEAST_LEFT, 0] : [LEAST_LEFT_UNPROVEN, LEAST_KEPT_UNPROVEN];
  if (direction === null || refuted || evidence < WORTH_TRYING) {
    return null;
  }
  const all = [...chains];
  const cost = wasted + COST_OF_CHAIN * all.length;
  if (cost >= COST_OF_CHAIN * workers + COST_PER_PAGE * pages) {
    return null;
  }
  const [best] = all
    .flatMap((one) => unreadOf(one, direction === "descending", isProven))
    .filter((one) => one.widthMs >= NARROWEST_MS && one.rows >= leastLeft * order.pageRows)
    .sort((a, b) => b.rows - a.rows);
  if (best === undefined) {
    return null;
  }
  const { chain, widthMs, density } = best;
  const keptMs = Math.floor(
    Math.max((leastKept * order.pageRows) / density, Math.min(widthMs / 2, (MOST_KEPT * order.pageRows) / density)),
  );
  const at = direction === "descending" ? best.edge - keptMs : best.edge + keptMs;
  return { victim: chain, at, part: partBeyond(chain.window, at, direction) };
}

/**
 * What a window leaves beyond `at`. Where an earlier split cut its far end, the part is asked for as far as the window is: it ends with a row beyond the cut
 * as that would have, and its end needs no confirmation.
 */
function partBeyond({ from, to, askFrom, askTo, cut }: OpenWindow, at: number, direction: Direction): OpenWindow {
  return direction === "descending"
    ? { ...freshWindow({ from, to: at }), askFrom, cut }
    : { ...freshWindow({ from: at, to }), askTo, cut };
}

/**
 * What a chain has not read yet; a chain without dates, or which has ended, has nothing to give. The last page alone says how dense it is where the chain stands;
 * as long as a wrong guess would be read twice, the mean counts if it is less.
 */
function unreadOf(chain: Chain, isDescending: boolean, isProven: boolean) {
  const { window, trail } = chain;
  const seen = trail.density;
  if (chain.isDone || !window.dated || chain.edge === null || seen === null) {
    return [];
  }
  const density = isProven ? seen.last : Math.min(seen.last, seen.mean);
  // A chain that was asked for more than its window may not have come to it yet.
  const edge = isDescending ? Math.min(chain.edge, window.to) : Math.max(chain.edge, window.from);
  const widthMs = isDescending ? edge - window.from : window.to - edge;
  return [{ chain, edge, density, widthMs, rows: widthMs * density }];
}

/** The chains that are walked side by side, and what giving parts of them away has cost. */
export class Splits {
  readonly #walking = new Set<Chain>();
  readonly #order: OrderProof;
  readonly #workers: number;
  #wasted = 0;

  constructor(order: OrderProof, workers: number) {
    this.#order = order;
    this.#workers = workers;
  }

  begin(chain: Chain): void {
    this.#walking.add(chain);
  }

  /** The chain has been read to its end. */
  read(chain: Chain): void {
    this.#wasted += 1 - Math.min(1, chain.trail.lastOwnRows / this.#order.pageRows);
  }

  end(chain: Chain): void {
    this.#walking.delete(chain);
  }

  /** As of `chooseSplit`, after `pages` in all. */
  choose(pages: number): Split | null {
    return chooseSplit(this.#walking, this.#order, { wasted: this.#wasted, pages, workers: this.#workers });
  }
}
