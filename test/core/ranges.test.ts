import fc from "fast-check";
import { expect, test } from "vitest";
import { covers, holds, intersection, overlaps, subtract, union, width } from "../../lambda/core/ranges.ts";
import type { TimeRange } from "../../lambda/core/time.ts";

// Compares ranges with what they stand for: sets of whole milliseconds, small enough to write out.

const END = 40;
const range: fc.Arbitrary<TimeRange> = fc.record({
  from: fc.integer({ min: 0, max: END }),
  to: fc.integer({ min: 0, max: END }),
});
const ranges = fc.array(range, { maxLength: 8 });
const proper = range.filter(({ from, to }) => from < to);

function times(of: readonly TimeRange[]): number[] {
  return Array.from({ length: END }, (_, time) => time).filter((time) =>
    of.some(({ from, to }) => from <= time && time < to),
  );
}

function isNormal(of: readonly TimeRange[]): boolean {
  return of.every(({ from, to }, at) => from < to && (at === 0 || (of[at - 1]?.to ?? to) < from));
}

test("union: the same times, in one normal form", () => {
  fc.assert(
    fc.property(ranges, ranges, (some, others) => {
      const one = union([...some, ...others]);
      expect(times(one)).toEqual(times([...some, ...others]));
      expect(isNormal(one)).toBe(true);
      expect(union([...others, ...some])).toEqual(one);
      expect(union(one)).toEqual(one);
    }),
  );
});

test("subtract: the times of the one range that are not in the others", () => {
  fc.assert(
    fc.property(range, ranges, (whole, taken) => {
      const left = subtract(whole, union(taken));
      const gone = new Set(times(taken));
      expect(times(left)).toEqual(times([whole]).filter((time) => !gone.has(time)));
      expect(isNormal(left)).toBe(true);
    }),
  );
});

test("covers, holds, overlaps, intersection and width agree with the sets of times", () => {
  fc.assert(
    fc.property(proper, proper, ranges, fc.integer({ min: 0, max: END - 1 }), (one, other, some, time) => {
      const all = union(some);
      const inAll = new Set(times(all));
      expect(covers(all, one)).toBe(times([one]).every((each) => inAll.has(each)));
      expect(holds(all, time)).toBe(inAll.has(time));
      expect(overlaps(one, other)).toBe(times([one]).some((each) => times([other]).includes(each)));
      expect(times(intersection(one, all))).toEqual(times([one]).filter((each) => inAll.has(each)));
      expect(width(all)).toBe(inAll.size);
    }),
  );
});
