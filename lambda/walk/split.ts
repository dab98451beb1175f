import type { Direction, OpenWindow } from "../archive/manifest.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Chain } from "./chain.ts";
import type { OrderProof } from "./order.ts";
import { freshWindow } from "./window.ts";

/** What a chain keeps at most for itself, pages by its present density: so the chains of a run stay near each other, and so do the parts they fill. */
const MOST_KEPT = 64;
/** Least pages that must seem left. */
const LEAST_LEFT = 2;
/** Splits that a run may make: one for each worker, and so many for each page read. Each costs about a page: a chain's last is half empty, or goes half beyond its cut. */
const SPLITS_PER_PAGE = 0.03;
const NARROWEST_MS = 2 * SECOND_MS;

export interface Split {
  readonly victim: Chain;
  /** What its chain leaves, `txCreated`, ms: below it when the rows descend, from it on when they ascend. */
  readonly at: number;
  readonly part: OpenWindow;
}

/**
 * Which chain gives its far part to an idle worker, and from where: the one with the most rows left, by the density of its last page. Where rows are even
 * that halves it; where they are dense, it keeps what is near. Null: nothing is worth it. See test/programs/cost for what this costs and gains.
 */
export function chooseSplit(chains: Iterable<Chain>, order: OrderProof): Split | null {
  const { direction, pageRows } = order;
  if (direction === null) {
    return null;
  }
  const [best] = [...chains]
    .flatMap((chain) => unreadOf(chain, direction === "descending"))
    .filter((one) => one.widthMs >= NARROWEST_MS && one.rows >= LEAST_LEFT * pageRows)
    .sort((a, b) => b.rows - a.rows);
  if (best === undefined) {
    return null;
  }
  const { victim, edge, widthMs, density } = best;
  const keptMs = Math.floor(Math.min(widthMs / 2, (MOST_KEPT * pageRows) / density));
  const at = direction === "descending" ? edge - keptMs : edge + keptMs;
  return { victim, at, part: partBeyond(victim.window, at, direction) };
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

/** What a chain has not read yet, by the density of its last page; a chain without dates, or which has ended, has nothing to give. */
function unreadOf(victim: Chain, isDescending: boolean) {
  const { isDone, edge: last, window, trail } = victim;
  const { density } = trail;
  if (isDone || !window.dated || last === null || density === null) {
    return [];
  }
  // A chain that was asked for more than its window may not have come to it yet.
  const edge = isDescending ? Math.min(last, window.to) : Math.max(last, window.from);
  const widthMs = isDescending ? edge - window.from : window.to - edge;
  return [{ victim, edge, density, widthMs, rows: widthMs * density }];
}

/** The chains that are walked side by side, and which of them gives a part away. */
export class Splits {
  readonly #walking = new Set<Chain>();
  readonly #order: OrderProof;
  readonly #workers: number;
  #made = 0;

  constructor(order: OrderProof, workers: number) {
    this.#order = order;
    this.#workers = workers;
  }

  begin(chain: Chain): void {
    this.#walking.add(chain);
  }

  end(chain: Chain): void {
    this.#walking.delete(chain);
  }

  /** As of `chooseSplit`, after `pages` in all; null also where splits have cost enough. */
  choose(pages: number): Split | null {
    const mayCost = this.#made < this.#workers + SPLITS_PER_PAGE * pages;
    const split = mayCost ? chooseSplit(this.#walking, this.#order) : null;
    this.#made += split === null ? 0 : 1;
    return split;
  }
}
