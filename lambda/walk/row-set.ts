import { hash } from "node:crypto";
import type { Fill } from "../core/fill.ts";
import { Identities } from "../core/identities.ts";
import type { Seen } from "./chain-ports.ts";

/**
 * Pages in a row without a row that is new to the chain: more than a sensible service sends. The bound ends a
 * chain that never ends.
 */
const MAX_UNPRODUCTIVE_PAGES = 100;

/** Remembers the rows and cursors of one chain, so that it ends if the cursors lead in a circle. */
export class RowSet {
  readonly #rows: Identities;
  readonly #cursors = new Set<string>();
  /** How many rows of earlier pages the later pages repeated. Each number is kept once. */
  readonly #repeated = new Set<number>();
  #hasPages: boolean;
  #unproductive = 0;

  constructor(seen: Iterable<Fill>, cursor: string | null) {
    this.#rows = Identities.of(seen);
    this.#hasPages = cursor !== null;
    if (cursor !== null) {
      this.#cursors.add(digest(cursor));
    }
  }

  get seen(): Seen {
    return this.#rows;
  }

  /**
   * True when pages began with a varying number of repeated rows. Then rows came or went under a cursor that
   * counts rows, and another page may have left a row out.
   */
  get isShifted(): boolean {
    return this.#repeated.size > 1;
  }

  /** The fills of a page that are new. */
  take(fills: readonly Fill[]): readonly Fill[] {
    const fresh = this.#rows.addNew(fills);
    if (this.#hasPages && fills.length > 0) {
      const distinct = fresh.length === fills.length ? fresh.length : Identities.of(fills).size;
      this.#repeated.add(distinct - fresh.length);
    }
    this.#hasPages = true;
    this.#unproductive = fresh.length === 0 ? this.#unproductive + 1 : 0;
    return fresh;
  }

  /** Why the cursor of `page` must not be followed; null: it may be. */
  problemOf(cursor: string, page: number): string | null {
    const name = digest(cursor);
    if (this.#cursors.has(name)) {
      return `the service's cursors repeat: page ${page} returned one that was already used`;
    }
    this.#cursors.add(name);
    return this.#unproductive >= MAX_UNPRODUCTIVE_PAGES
      ? `${MAX_UNPRODUCTIVE_PAGES} pages in a row, up to page ${page}, held no new row, and the service has more`
      : null;
  }
}

function digest(text: string): string {
  return hash("sha256", text, "hex");
}
