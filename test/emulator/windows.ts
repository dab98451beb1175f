import { hash32, permutation } from "../support/prng.ts";
import type { History } from "./history.ts";
import type { Switches } from "./switches.ts";

/** Dates of a request, ms; a date that was not sent is absent. */
export interface Dates {
  readonly startDate?: number;
  readonly endDate?: number;
}

/**
 * The rows of one window in serving order. A *rank* is a row's position in the serving order of the whole
 * account. Ranks do not depend on the window, so a cursor that forgets its window still knows its position.
 */
export interface WindowRows {
  readonly count: number;
  /** the rank of the row at a place of this window */
  rank(place: number): number;
  /** the first place whose rank is `rank` or higher */
  placeOf(rank: number): number;
}

export type Windows = ReturnType<typeof createWindows>;

const CACHED_WINDOWS = 64;

export function createWindows(history: History, seed: number, switches: () => Switches) {
  let built = "";
  let order = serialOrder(history.count, true);
  const cache = new Map<string, WindowRows>();
  let filled: Float64Array | null = null;

  const filledTimes = (): Float64Array => {
    filled ??= Float64Array.from({ length: history.count }, (_, index) => history.filledAt(index));
    return filled;
  };

  /** Rebuilds the order and empties the cache if a relevant switch has changed at run time. */
  const refresh = (): void => {
    const { order: kind, startInclusive, endInclusive, filterBy, pageLimit } = switches();
    const key = `${kind} ${startInclusive} ${endInclusive} ${filterBy} ${pageLimit}`;
    if (key !== built) {
      built = key;
      cache.clear();
      order = servingOrder(switches(), history.count, seed);
    }
  };

  const select = (dates: Dates): WindowRows => {
    const { order: kind, filterBy } = switches();
    const [low, high] = bounds(dates, switches());
    if (low === Number.NEGATIVE_INFINITY && high === Number.POSITIVE_INFINITY) {
      return rankRange(0, history.count);
    }
    if (filterBy === "txCreated") {
      const first = lowerBound(history.times, low);
      const end = Math.max(first, lowerBound(history.times, high));
      if (kind === "ascending") {
        return rankRange(first, end);
      }
      return kind === "descending"
        ? rankRange(history.count - end, history.count - first)
        : rankList(order, (index) => index >= first && index < end);
    }
    const times = filledTimes();
    return rankList(order, (index) => {
      const time = times[index] ?? 0;
      return time >= low && time < high;
    });
  };

  return {
    /** The row's index in the history. */
    indexOf(rank: number): number {
      refresh();
      return order.indexOf(rank);
    },
    rows(dates: Dates): WindowRows {
      refresh();
      const key = `${dates.startDate} ${dates.endDate}`;
      const known = cache.get(key);
      if (known !== undefined) {
        return known;
      }
      const rows = select(dates);
      const oldest = cache.keys().next();
      if (cache.size >= CACHED_WINDOWS && oldest.done !== true) {
        cache.delete(oldest.value);
      }
      cache.set(key, rows);
      return rows;
    },
  };
}

/** `[low, high)` in ms, from bounds that are inclusive or exclusive. */
function bounds(dates: Dates, switches: Switches): readonly [number, number] {
  const low =
    dates.startDate === undefined ? Number.NEGATIVE_INFINITY : dates.startDate + (switches.startInclusive ? 0 : 1);
  const high = dates.endDate === undefined ? Number.POSITIVE_INFINITY : dates.endDate + (switches.endInclusive ? 1 : 0);
  return [low, high];
}

interface ServingOrder {
  readonly count: number;
  indexOf(rank: number): number;
}

function servingOrder({ order, pageLimit }: Switches, count: number, seed: number): ServingOrder {
  switch (order) {
    case "descending":
      return serialOrder(count, true);
    case "ascending":
      return serialOrder(count, false);
    case "unordered":
      return listedOrder(permutation(count, hash32(seed, 31)));
    case "shuffled-pages":
      return listedOrder(shuffledBlocks(count, pageLimit, hash32(seed, 32)));
  }
}

function serialOrder(count: number, descending: boolean): ServingOrder {
  return { count, indexOf: (rank) => (descending ? count - 1 - rank : rank) };
}

function listedOrder(indices: Uint32Array): ServingOrder {
  return { count: indices.length, indexOf: (rank) => indices[rank] ?? 0 };
}

function shuffledBlocks(count: number, size: number, seed: number): Uint32Array {
  const blocks = permutation(Math.ceil(count / size), seed);
  const indices = new Uint32Array(count);
  let rank = 0;
  for (const block of blocks) {
    for (let index = Math.min(count, (block + 1) * size) - 1; index >= block * size; index--) {
      indices[rank] = index;
      rank += 1;
    }
  }
  return indices;
}

function rankRange(first: number, end: number): WindowRows {
  const count = end - first;
  return {
    count,
    rank: (place) => first + place,
    placeOf: (rank) => Math.min(count, Math.max(0, rank - first)),
  };
}

function rankList(order: ServingOrder, belongs: (index: number) => boolean): WindowRows {
  const ranks: number[] = [];
  for (let rank = 0; rank < order.count; rank++) {
    if (belongs(order.indexOf(rank))) {
      ranks.push(rank);
    }
  }
  return {
    count: ranks.length,
    rank: (place) => ranks[place] ?? order.count,
    placeOf: (rank) => lowerBound(ranks, rank),
  };
}

/** The first place of a sorted list whose value is `value` or higher. */
function lowerBound(sorted: ArrayLike<number>, value: number): number {
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
