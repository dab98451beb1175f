import { intersection, subtract, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Coverage } from "./manifest.ts";

/** What was read, and how often, as it changes with each answer. Pure. */

/** `covers`: what was read, or nothing. `doubts`: ranges whose second reading is not believed any more. */
export function coverageAfter(
  coverage: readonly Coverage[],
  { covers: range, doubts }: { readonly covers: Coverage | null; readonly doubts?: readonly TimeRange[] },
): readonly Coverage[] {
  const left = doubts === undefined ? coverage : withDoubt(coverage, doubts);
  return range === null ? left : withCoverage(left, range);
}

/** The coverage with these ranges read once. */
function withDoubt(coverage: readonly Coverage[], doubts: readonly TimeRange[]): Coverage[] {
  const all = union(doubts);
  return coverage.flatMap((one) => {
    const sure = subtract(one, all).map((part) => ({ ...one, ...part }));
    const doubted = intersection(one, all).map((part) => ({ ...part, readings: 1 as const, silentIn: null }));
    return [...sure, ...doubted].sort((a, b) => a.from - b.from);
  });
}

/**
 * The coverage after a range was read: once, where it was not read before; twice, where it was. Ranges that
 * were read twice are merged; those that were read once stay as their chains read them.
 */
export function withCoverage(coverage: readonly Coverage[], { from, to, readings, silentIn }: Coverage): Coverage[] {
  const range = { from, to };
  if (readings === 1) {
    const fresh = subtract(range, union(coverage)).map((one) => ({ ...one, readings, silentIn }));
    return [...coverage, ...fresh].sort((a, b) => a.from - b.from);
  }
  const outside = coverage.flatMap((one) => subtract(one, [range]).map((part) => ({ ...one, ...part })));
  const read = union(coverage);
  const inside = subtract(range, subtract(range, read)).map((one) => ({ ...one, readings, silentIn }));
  const sorted = [...outside, ...inside].sort((a, b) => a.from - b.from);
  const merged: Coverage[] = [];
  for (const one of sorted) {
    const last = merged.at(-1);
    if (last?.readings === 2 && one.readings === 2 && last.to === one.from) {
      const widest = Math.max(last.silentIn ?? 0, one.silentIn ?? 0);
      merged[merged.length - 1] = { ...last, to: one.to, silentIn: widest === 0 ? null : widest };
    } else {
      merged.push(one);
    }
  }
  return merged;
}
