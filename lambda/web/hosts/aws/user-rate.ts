/**
 * The most requests that a user may send at once: a person who clicks, and some pages that poll their runs.
 */
const AT_ONCE = 60;
/** Requests that a user regains each second. */
const EACH_SECOND = 5;
/** The most users that are counted at a time. */
const MOST_KEPT = 1000;

/**
 * Counts a user's request, and returns whether it may proceed. Each running copy of the function counts for
 * itself. There are ten copies at most, so a user's total is bounded, and one user's program cannot block the
 * others for long. `monotonic`: ms.
 */
export function userRate(monotonic: () => number): (user: string) => boolean {
  const kept = new Map<string, { readonly left: number; readonly at: number }>();
  return (user) => {
    const at = monotonic();
    const before = kept.get(user) ?? { left: AT_ONCE, at };
    const left = Math.min(AT_ONCE, before.left + ((at - before.at) / 1000) * EACH_SECOND);
    if (kept.size >= MOST_KEPT) {
      kept.clear();
    }
    kept.set(user, { left: left >= 1 ? left - 1 : left, at });
    return left >= 1;
  };
}
