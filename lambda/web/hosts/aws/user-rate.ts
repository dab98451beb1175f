/** Requests that a user may make at once: a person who clicks, and some pages that ask how their runs go. */
const AT_ONCE = 60;
/** And how many come back each second. */
const EACH_SECOND = 5;
/** Users whose requests are counted, the last seen. */
const MOST_KEPT = 1000;

/**
 * Whether a user may ask once more; counts the request. Each running copy of the function counts for itself, and there are ten at most, so all that one user
 * gets is bounded too, and one user's program cannot take the places of all others for long. `monotonic`: ms.
 */
export function userRate(monotonic: () => number): (user: string) => boolean {
  const kept = new Map<string, { readonly left: number; readonly at: number }>();
  return (user) => {
    const at = monotonic();
    const before = kept.get(user) ?? { left: AT_ONCE, at };
    const left = Math.min(AT_ONCE, before.left + ((at - before.at) / 1000) * EACH_SECOND);
    const isLet = left >= 1;
    kept.delete(user);
    kept.set(user, { left: isLet ? left - 1 : left, at });
    const [oldest] = kept.keys();
    if (kept.size > MOST_KEPT && oldest !== undefined) {
      kept.delete(oldest);
    }
    return isLet;
  };
}
