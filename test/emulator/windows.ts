import { hash32, permutation } from "../support/prng.ts";
import type { History } from "./history.ts";
import type { Switches } from "./switches.ts";

/** Dates of a request, ms; a date that was not sent is absent. */
export interface Dates {
  readonly startDate?: number;
  readonly endDate?: number;
}

/**
 * The rows of one window, as ranks in serving order. A *rank* is a row's position in the serving order of the whole
 * account. Ranks do not depend on the window, so a cursor that forgets its window still knows its position.
 */
export type WindowRows = Uint32Array;

export type Windows = ReturnType<typeof createWindows>;

const CACHED_WINDOWS = 64;

export function createWindows(history: History, seed: number, switches: () => Switches) {
  const { count, times } = history;
  const ranks = Uint32Array.from({ length: count }, (_, rank) => rank);
  const cache = new Map<string, WindowRows>();
  let built = "";
  let order: Uint32Array = ranks;
  let filled: Float64Array | null = null;

  const filledTimes = (): Float64Array => {
    filled ??= Float64Array.from({ length: count }, (_, index) => history.filledAt(index));
    return filled;
  };

  /** Rebuilds the order and empties the cache if a relevant switch has changed at run time. */
  const refresh = (): void => {
    const { order: kind, startInclusive, endInclusive, filterBy, pageLimit } = switches();
    const key = `${kind} ${startInclusive} ${endInclusive} ${filterBy} ${pageLimit}`;
    if (key !== built) {
      built = key;
      cache.clear();
      order = servingOrder(switches(), ranks, seed);
    }
  };

  const select = (dates: Dates): WindowRows => {
    const { order: kind, filterBy } = switches();
    const [low, high] = bounds(dates, switches());
    if (filterBy === "txCreated" && kind.endsWith("scending")) {
      const [first, end] = [lowerBound(times, low), lowerBound(times, high)];
      return kind === "ascending" ? ranks.subarray(first, end) : ranks.subarray(count - end, count - first);
    }
    const own = filterBy === "txCreated" ? times : filledTimes();
    return ranks.filter((rank) => {
      const time = own[order[rank] ?? 0] ?? 0;
      return time >= low && time < high;
    });
  };

  return {
    /** The row's index in the history. */
    indexOf(rank: number): number {
      refresh();
      return order[rank] ?? 0;
    },
    rows(dates: Dates): WindowRows {
      refresh();
      const key = `${dates.startDate} ${dates.endDate}`;
      const rows = cache.get(key) ?? select(dates);
      if (cache.size >= CACHED_WINDOWS) {
        cache.clear();
      }
      cache.set(key, rows);
      return rows;
    },
  };
}

/** `[low, high)` in ms, from bounds that are inclusive or exclusive. */
function bounds({ startDate, endDate }: Dates, { startInclusive, endInclusive }: Switches): readonly [number, number] {
  const low = startDate === undefined ? Number.NEGATIVE_INFINITY : startDate + (startInclusive ? 0 : 1);
  return [low, endDate === undefined ? Number.POSITIVE_INFINITY : endDate + (endInclusive ? 1 : 0)];
}

/** The index of the row at each rank. */
function servingOrder({ order, pageLimit }: Switches, ranks: Uint32Array, seed: number): Uint32Array {
  switch (order) {
    case "descending":
      return ranks.toReversed();
    case "ascending":
      return ranks;
    case "unordered":
      return permutation(ranks.length, hash32(seed, 31));
    case "shuffled-pages": {
      const blocks = permutation(Math.ceil(ranks.length / pageLimit), hash32(seed, 32));
      return Uint32Array.from(
        [...blocks].flatMap((block) => [...ranks.subarray(block * pageLimit, (block + 1) * pageLimit)].toReversed()),
      );
    }
  }
}

/** The first place of a sorted list whose value is `value` or higher. */
export function lowerBound(sorted: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
