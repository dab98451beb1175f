import { intersection, subtract, union } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Coverage } from "./manifest.ts";

/** What was read, and how often, as it changes with each answer. Pure. */

/** `covers`: what was read, or nothing. `doubts`: ranges whose second reading is not believed any more. */
export function coverageAfter(
  coverage: readonly Coverage[],
  { covers: range, doubts = [] }: { readonly covers: Coverage | null; readonly doubts?: readonly TimeRange[] },
): readonly Coverage[] {
  const doubtful = union(doubts);
  const left = coverage.flatMap((one) => [
    ...subtract(one, doubtful).map((part) => ({ ...one, ...part })),
    ...intersection(one, doubtful).map((part) => ({ ...part, readings: 1 as const, silentIn: null })),
  ]);
  return range === null ? merged(left) : withCoverage(left, range);
}

/** The coverage after a range was read: once, where it was not read before; twice, where it was. */
export function withCoverage(coverage: readonly Coverage[], { from, to, readings, silentIn }: Coverage): Coverage[] {
  const range = { from, to };
  const read = union(coverage);
  const others =
    readings === 1 ? coverage : coverage.flatMap((one) => subtract(one, [range]).map((part) => ({ ...one, ...part })));
  const times = readings === 1 ? subtract(range, read) : intersection(range, read);
  return merged([...others, ...times.map((one) => ({ ...one, readings, silentIn }))]);
}

/** Disjoint ranges, sorted; those that touch, and were read as often, are one. */
function merged(coverage: readonly Coverage[]): Coverage[] {
  const all: Coverage[] = [];
  for (const one of coverage.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last?.to === one.from && last.readings === one.readings) {
      const widest = Math.max(last.silentIn ?? 0, one.silentIn ?? 0);
      all[all.length - 1] = { ...last, to: one.to, silentIn: widest === 0 ? null : widest };
    } else {
      all.push(one);
    }
  }
  return all;
}
