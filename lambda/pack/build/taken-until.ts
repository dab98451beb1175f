const NONE: readonly never[] = [];

/** Gives a list that is in the order of time piece by piece: at each call what comes before a time, and was not given yet. */
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
