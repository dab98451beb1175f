import { type Fill, hashedContentOf } from "../core/fill.ts";
import { ALL_TIME } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { HashList, type SetHash } from "./set-hash.ts";

/** Sums over a data file, or over the part of it that lies in a range. */
export interface Sums {
  readonly rows: number;
  /** `tx_created` of the first and last fill, ms UTC; null if there is none. */
  readonly first: number | null;
  readonly last: number | null;
  readonly set: SetHash;
}

/**
 * The times and hashes of a data file's fills. From these, a commit computes the sums of the windows that cut
 * the file, without decoding or hashing the fills again.
 */
export class DataFileSums {
  readonly #times: Float64Array;
  readonly #hashes: HashList;
  #rows = 0;

  constructor(capacity: number) {
    this.#times = new Float64Array(capacity);
    this.#hashes = new HashList(capacity);
  }

  static of(fills: readonly Fill[]): DataFileSums {
    const sums = new DataFileSums(fills.length);
    for (const fill of fills) {
      sums.add(fill);
    }
    return sums;
  }

  /** Adds the next fill. Fills come in order of `tx_created`. */
  add(fill: Fill): void {
    this.#times[this.#rows] = fill.txCreated;
    this.#hashes.add(hashedContentOf(fill));
    this.#rows += 1;
  }

  within(range: TimeRange = ALL_TIME): Sums {
    const [from, to] = [this.#placeOf(range.from), this.#placeOf(range.to)];
    const inside = this.#times.subarray(from, to);
    return {
      rows: inside.length,
      first: inside.at(0) ?? null,
      last: inside.at(-1) ?? null,
      set: this.#hashes.sum(from, to),
    };
  }

  /** The index of the first fill at or after `time`. */
  #placeOf(time: number): number {
    const times = this.#times.subarray(0, this.#rows);
    const place = times.findIndex((one) => one >= time);
    return place === -1 ? times.length : place;
  }
}
