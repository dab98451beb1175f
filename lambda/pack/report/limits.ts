/** The first `limit` items of a list, and how many are left out. */
export function firstOf<T>(
  values: readonly T[],
  limit: number,
): { readonly shown: readonly T[]; readonly left: number } {
  return { shown: values.slice(0, limit), left: Math.max(0, values.length - limit) };
}

/** The most days of a chart and its table. */
const MOST_DAYS = 400;

/** All days, or the last one of each group of days, plus the days that `isKept` selects. */
export function thinned<T>(days: readonly T[], isKept: (day: T) => boolean = () => false): readonly T[] {
  const every = Math.ceil(days.length / MOST_DAYS);
  return every <= 1
    ? days
    : days.filter((day, at) => isKept(day) || at % every === every - 1 || at === days.length - 1);
}
