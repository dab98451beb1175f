const NONE: readonly never[] = [];

/**
 * Hands out a list that is ordered by time. Each call gives the items before a time that were not given yet.
 */
export function takenUntil<Timed extends { readonly time: number }>(list: readonly Timed[]) {
  let taken = 0;
  return (time: number): readonly Timed[] => {
    const from = taken;
    while ((list[taken]?.time ?? Number.POSITIVE_INFINITY) < time) {
      taken += 1;
    }
    return taken === from ? NONE : list.slice(from, taken);
  };
}
