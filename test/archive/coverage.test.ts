import fc from "fast-check";
import { expect, test } from "vitest";
import { withCoverage } from "../../lambda/archive/coverage.ts";
import type { Coverage } from "../../lambda/archive/manifest.ts";

const one = fc
  .record({
    at: fc.nat(30),
    width: fc.integer({ min: 1, max: 12 }),
    isTwice: fc.boolean(),
    silent: fc.option(fc.nat(9)),
  })
  .map(
    ({ at, width, isTwice, silent }): Coverage => ({
      from: at,
      to: at + width,
      readings: isTwice ? 2 : 1,
      silentIn: isTwice ? silent : null,
    }),
  );

/** How often each millisecond was read: a second reading counts only where there was a first. */
function model(filed: readonly Coverage[]): number[] {
  const readings = Array.from({ length: 50 }, () => 0);
  for (const { from, to, readings: times } of filed) {
    for (let at = from; at < to; at += 1) {
      const before = readings[at] ?? 0;
      const second = before > 0 ? 2 : 0;
      readings[at] = times === 1 ? Math.max(before, 1) : second;
    }
  }
  return readings;
}

const read = (from: number, to: number, readings: 1 | 2, silentIn: number | null = null): Coverage => ({
  from,
  to,
  readings,
  silentIn,
});

test("coverage adds up millisecond by millisecond; its ranges are sorted and disjoint", () => {
  fc.assert(
    fc.property(fc.array(one, { maxLength: 12 }), (filed) => {
      const coverage = filed.reduce<readonly Coverage[]>(withCoverage, []);
      const found = Array.from({ length: 50 }, () => 0);
      for (const [place, { from, to, readings }] of coverage.entries()) {
        expect(from).toBeLessThan(to);
        const before = coverage[place - 1];
        expect(from).toBeGreaterThanOrEqual(before?.to ?? 0);
        expect([before?.to, before?.readings]).not.toEqual([from, readings]);
        found.fill(readings, from, to);
      }
      expect(found).toEqual(model(filed));
    }),
  );
});

test("how wide silence was asked: the widest of what was merged, until it is asked again", () => {
  const before = [read(0, 30, 1), read(0, 10, 2, 10), read(10, 20, 2, 4)].reduce<readonly Coverage[]>(withCoverage, []);
  expect(before).toEqual([read(0, 20, 2, 10), read(20, 30, 1)]);
  expect(withCoverage(before, read(0, 20, 2, 5))).toEqual([read(0, 20, 2, 5), read(20, 30, 1)]);
});
