import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ChainSpan, coveredBy, NOTHING_PROVEN, provenBy, provenWidth, widestOf } from "../../lambda/walk/cover.ts";

// A service with a clamp of one width, against what a finished chain may claim. Times are small whole numbers.

interface Service {
  readonly rows: readonly number[];
  /** Width and the end that it keeps; null: none. */
  readonly clamp: { readonly width: number; readonly keeps: "end" | "start" } | null;
  readonly startInclusive: boolean;
  readonly endInclusive: boolean;
}

/** The rows of `[askFrom, askTo]` that the service answers. */
function answered(service: Service, askFrom: number, askTo: number): number[] {
  let [from, to] = [askFrom, askTo];
  if (service.clamp !== null && to - from > service.clamp.width) {
    from = service.clamp.keeps === "end" ? to - service.clamp.width : from;
    to = service.clamp.keeps === "start" ? from + service.clamp.width : to;
  }
  return service.rows.filter(
    (time) => (service.startInclusive ? from <= time : from < time) && (service.endInclusive ? time <= to : time < to),
  );
}

function ask(service: Service, askFrom: number, askTo: number): ChainSpan {
  const times = answered(service, askFrom, askTo);
  const none = times.length === 0;
  return { askFrom, askTo, lowest: none ? null : Math.min(...times), highest: none ? null : Math.max(...times) };
}

const time = fc.integer({ min: 0, max: 60 });
const service: fc.Arbitrary<Service> = fc.record({
  rows: fc.uniqueArray(time, { maxLength: 40 }),
  clamp: fc.option(
    fc.record({ width: fc.integer({ min: 3, max: 50 }), keeps: fc.constantFrom("end" as const, "start" as const) }),
    { nil: null },
  ),
  startInclusive: fc.boolean(),
  endInclusive: fc.boolean(),
});
const window = fc.tuple(time, time).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) + 1 }));
const windows = fc.array(window, { minLength: 1, maxLength: 6 });

describe("what an answer covers", () => {
  test("never a time whose rows were withheld, proven by the same service's answers alone", () => {
    fc.assert(
      fc.property(service, windows, fc.nat({ max: 20 }), (one, asked, above) => {
        let proven = NOTHING_PROVEN;
        for (const { from, to } of asked) {
          const span = ask(one, from - 1, to + above + 1);
          proven = widestOf(proven, provenBy(span));
          const covered = coveredBy({ from, to }, span, proven);
          if (covered !== null) {
            expect(covered.from).toBeGreaterThanOrEqual(from);
            expect(covered.to).toBeLessThanOrEqual(to);
            expect(covered.from).toBeLessThan(covered.to);
            const came = new Set(answered(one, span.askFrom, span.askTo));
            const withheld = one.rows.filter((row) => covered.from <= row && row < covered.to && !came.has(row));
            expect(withheld).toEqual([]);
          }
        }
      }),
      { numRuns: 5000 },
    );
  });

  test("a proven width is never wider than the clamp", () => {
    fc.assert(
      fc.property(service, window, (one, { from, to }) => {
        const proven = provenWidth(provenBy(ask(one, from - 1, to + 1)));
        expect(proven).toBeLessThanOrEqual(one.clamp?.width ?? Number.POSITIVE_INFINITY);
        expect(proven).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  test("all of a window that is no wider than what was proven, even if it is empty", () => {
    fc.assert(
      fc.property(window, (one) => {
        const span = { askFrom: one.from - 1, askTo: one.to + 1, lowest: null, highest: null };
        const width = one.to - one.from + 2;
        expect(coveredBy(one, span, { keepingEnd: width, keepingBeginning: width })).toEqual(one);
      }),
    );
  });

  test("none of a wide one that is empty when nothing is proven", () => {
    const span = { askFrom: -1, askTo: 101, lowest: null, highest: null };
    expect(provenBy(span)).toEqual(NOTHING_PROVEN);
    expect(coveredBy({ from: 0, to: 100 }, span, NOTHING_PROVEN)).toBeNull();
  });

  test("from the oldest row to the newest when nothing is proven: a clamp keeps an end, and both of its rows came", () => {
    const span = { askFrom: -1, askTo: 101, lowest: 30, highest: 70 };
    expect(coveredBy({ from: 0, to: 100 }, span, NOTHING_PROVEN)).toEqual({ from: 30, to: 71 });
  });
});
