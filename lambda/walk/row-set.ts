import { hash } from "node:crypto";
import type { Fill } from "../core/fill.ts";
import { Identities } from "../core/identities.ts";
import type { Seen } from "./chain-ports.ts";

/** Pages in a row without a row that is new to the chain: more than any sensible service sends, and an end to one that never ends. */
const MAX_BARREN_PAGES = 100;

/** Which rows and cursors one chain has met, so that it ends where the service's cursors lead in a circle. */
export class RowSet {
  readonly #rows: Identities;
  readonly #cursors = new Set<string>();
  /** How many rows of earlier pages the later ones had, each number once. */
  readonly #repeated = new Set<number>();
  #hasPages: boolean;
  #barren = 0;

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
   * Some pages began with rows of the one before, and not all of them with as many: rows have come or gone under a cursor that counts them, and where one page had a
   * row again, another may have left one out.
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
    this.#barren = fresh.length === 0 ? this.#barren + 1 : 0;
    return fresh;
  }

  /** Why `page`, with this cursor, must not be followed; null: it may be. */
  problemOf(cursor: string, page: number): string | null {
    const name = digest(cursor);
    if (this.#cursors.has(name)) {
      return `the service's cursors go in a circle: page ${page} answers one that was followed before`;
    }
    this.#cursors.add(name);
    return this.#barren >= MAX_BARREN_PAGES
      ? `${MAX_BARREN_PAGES} pages in a row up to page ${page} hold no new row, and there are more`
      : null;
  }
}

function digest(text: string): string {
  return hash("sha256", text, "hex");
}
