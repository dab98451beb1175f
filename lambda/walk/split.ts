import type { Direction, OpenWindow } from "../archive/manifest.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Chain } from "./chain.ts";
import type { OrderProof } from "./order.ts";
import { freshWindow } from "./window.ts";

/**
 * The evidence, as ln, from which a split is worth trying before the order is proven: two pages came in
 * order.
 */
const WORTH_TRYING = Math.log(2);
/**
 * The most pages, at its present density, that a chain keeps for itself. So the chains of a run stay close
 * together, and so do the data files that they fill.
 */
const MOST_KEPT = 64;
/**
 * The fewest pages that must seem to be left. While the order is not proven, a chain keeps enough to prove
 * it.
 */
const LEAST_LEFT = 2;
const LEAST_LEFT_UNPROVEN = 16;
const LEAST_KEPT_UNPROVEN = 8;
/**
 * What splits may cost, in pages: half a page for each worker, plus this share of each page read. The last
 * page of a chain is about half empty, or half of it lies beyond its cut. The true cost is counted when it
 * ends.
 */
const COST_PER_PAGE = 0.02;
const COST_OF_CHAIN = 0.5;
const NARROWEST_MS = 2 * SECOND_MS;

export interface Split {
  readonly victim: Chain;
  /**
   * Where the chain stops, `txCreated`, ms: it leaves what is below when rows descend, and from here on when
   * they ascend.
   */
  readonly at: number;
  readonly part: OpenWindow;
}

export interface Spent {
  /** The wasted part of the last pages of finished chains, in pages: rows that were not theirs. */
  readonly wasted: number;
  readonly pages: number;
  readonly workers: number;
}

/**
 * Chooses the chain that gives its far part to an idle worker, and where to cut: the chain with the most rows
 * left, by the density of its last page. Even rows are halved; where rows are dense, the chain keeps the near
 * part. Null: no split is worth its cost. See test/programs/cost for the cost and the gain.
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
 * The part of a window beyond `at`. If an earlier split cut the window's far end, the part is asked for as
 * far as the window was. It then ends with a row beyond the cut, and its end needs no confirmation.
 */
function partBeyond({ from, to, askFrom, askTo, cut }: OpenWindow, at: number, direction: Direction): OpenWindow {
  return direction === "descending"
    ? { ...freshWindow({ from, to: at }), askFrom, cut }
    : { ...freshWindow({ from: at, to }), askTo, cut };
}

/**
 * How much a chain has not read yet. A chain without dates, or one that has ended, has nothing to give. The
 * last page gives the density near the chain's position. While a wrong guess would be read twice, the mean
 * density is used if it is lower.
 */
function unreadOf(chain: Chain, isDescending: boolean, isProven: boolean) {
  const { window, trail } = chain;
  const seen = trail.density;
  if (chain.isDone || !window.dated || chain.edge === null || seen === null) {
    return [];
  }
  const density = isProven ? seen.last : Math.min(seen.last, seen.mean);
  // A chain that was asked for more than its window may not have reached the window yet.
  const edge = isDescending ? Math.min(chain.edge, window.to) : Math.max(chain.edge, window.from);
  const widthMs = isDescending ? edge - window.from : window.to - edge;
  return [{ chain, edge, density, widthMs, rows: widthMs * density }];
}

/** The chains that are walked side by side, and what their splits have cost. */
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

  /** The chain was read to its end. */
  read(chain: Chain): void {
    this.#wasted += 1 - Math.min(1, chain.trail.lastOwnRows / this.#order.pageRows);
  }

  end(chain: Chain): void {
    this.#walking.delete(chain);
  }

  /** Where the running chains stand. */
  get windows(): readonly OpenWindow[] {
    return [...this.#walking].map(({ window }) => window);
  }

  /** As in `chooseSplit`, after `pages` in all. */
  choose(pages: number): Split | null {
    return chooseSplit(this.#walking, this.#order, { wasted: this.#wasted, pages, workers: this.#workers });
  }
}
