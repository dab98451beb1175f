/** The place of the first item of a sorted list that does not lie before; the list's length: all do. By halving. */
export function firstPlace<Item>(sorted: readonly Item[], liesBefore: (item: Item) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (liesBefore(sorted[middle] as Item)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
