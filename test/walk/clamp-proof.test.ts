import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import {
  type Answer,
  begunBy,
  type Cuts,
  coveredBy,
  NOTHING_PROVEN,
  provenBy,
  safeWidth,
  widestOf,
} from "../../lambda/walk/clamp-proof.ts";

// A model of a service that cuts its answers by width or by rows. It checks what a finished chain may claim.
// Times are in hours.

const HOUR = DAY_MS / 24;
const PAGE_ROWS = 3;

interface Service {
  readonly rows: readonly number[];
  readonly order: "descending" | "ascending" | "unordered";
  /** ms, and which end of the range is kept; null: no clamp. */
  readonly clamp: { readonly width: number; readonly keeps: "end" | "start" } | null;
  /** The most rows of one query, and which of them are kept, in sending order; null: no cap. */
  readonly cap: { readonly most: number; readonly keeps: "first" | "last" } | null;
  readonly startInclusive: boolean;
  readonly endInclusive: boolean;
}

/** The rows of `[from, to]` that the service answers, in sending order. */
function answered({ rows, order, clamp, cap, ...bounds }: Service, askFrom: number, askTo: number): number[] {
  let [from, to] = [askFrom, askTo];
  if (clamp !== null && to - from > clamp.width) {
    from = clamp.keeps === "end" ? to - clamp.width : from;
    to = clamp.keeps === "start" ? from + clamp.width : to;
  }
  const all = rows.filter(
    (time) => (bounds.startInclusive ? from <= time : from < time) && (bounds.endInclusive ? time <= to : time < to),
  );
  const sorted = order === "unordered" ? all : all.toSorted((a, b) => (order === "ascending" ? a - b : b - a));
  if (cap === null) {
    return sorted;
  }
  return cap.keeps === "first" ? sorted.slice(0, cap.most) : sorted.slice(-cap.most);
}

/** `mostPages`: a chain of ordered rows ends after so many pages, at its last row. */
function ask(service: Service, { from, to, mostPages }: Asked): { answer: Answer; came: number[] } {
  const asked = { from: from - 1, to: to + 1 };
  const all = answered(service, asked.from, asked.to);
  const came = service.order === "unordered" ? all : all.slice(0, mostPages * PAGE_ROWS);
  const steps = new Set(
    came.slice(1).flatMap((time, at) => (time === came[at] ? [] : [Math.sign(time - (came[at] ?? 0))])),
  );
  const way = steps.has(1) ? "ascending" : "descending";
  const order = steps.size === 2 ? "mixed" : way;
  const ends = came.length === 0 ? [null, null] : [Math.min(...came), Math.max(...came)];
  const [lowest = null, highest = null] = ends;
  const pages = Math.max(1, Math.ceil(came.length / PAGE_ROWS));
  const isStopped = came.length < all.length;
  return {
    answer: {
      from: isStopped && service.order === "descending" ? Math.max(from, (lowest ?? from) + 1) : from,
      to: isStopped && service.order === "ascending" ? Math.min(to, highest ?? to) : to,
      asked,
      ended: isStopped ? "order" : "no-last",
      pages,
      rows: came.length,
      sent: came.length,
      lowest,
      highest,
      came: steps.size === 0 ? null : order,
    },
    came,
  };
}

const time = fc.integer({ min: 0, max: 200 }).map((hour) => hour * HOUR);
const service: fc.Arbitrary<Service> = fc.record({
  rows: fc.uniqueArray(time, { maxLength: 40 }),
  order: fc.constantFrom("descending", "ascending", "unordered"),
  clamp: fc.option(
    fc.record({
      width: fc.integer({ min: 24, max: 180 }).map((hours) => hours * HOUR),
      keeps: fc.constantFrom("end" as const, "start" as const),
    }),
    { nil: null },
  ),
  cap: fc.option(
    fc.record({
      most: fc.integer({ min: 1, max: 12 }),
      keeps: fc.constantFrom("first" as const, "last" as const),
    }),
    { nil: null },
  ),
  startInclusive: fc.boolean(),
  endInclusive: fc.boolean(),
});
interface Asked {
  readonly from: number;
  readonly to: number;
  readonly mostPages: number;
}

const window: fc.Arbitrary<Asked> = fc
  .tuple(time, time, fc.constantFrom(1, 2, 3, 99))
  .map(([a, b, mostPages]) => ({ from: Math.min(a, b), to: Math.max(a, b) + 1, mostPages }));
const windows = fc.array(window, { minLength: 1, maxLength: 6 });

describe("the range that an answer covers", () => {
  test("never includes a time whose rows a clamp or a cap withheld, given other answers of the same service", () => {
    fc.assert(
      fc.property(service, windows, (one, asked) => {
        let cuts: Cuts = {
          proven: NOTHING_PROVEN,
          mostRows: 0,
          mostSent: 0,
          pageRows: 1,
          isOrderProven: true,
          begun: [],
        };
        for (const range of asked) {
          const { answer, came } = ask(one, range);
          const mostRows = Math.max(cuts.mostRows, answer.rows);
          const pageRows = Math.max(cuts.pageRows, Math.min(answer.rows, PAGE_ROWS));
          // A service with a clamp takes back coverage that rests on the beginning of another answer.
          const begun = one.clamp === null ? [...cuts.begun, ...[begunBy(answer)].flatMap((range) => range ?? [])] : [];
          const proven = widestOf(cuts.proven, provenBy(answer));
          cuts = { ...cuts, proven, mostRows, mostSent: mostRows, pageRows, begun };
          const covered = coveredBy(answer, cuts);
          // A few rows without an order may look ordered by chance. A hundred of them do not.
          const looksOrdered = one.order === "unordered" && one.cap !== null && answer.came !== "mixed";
          if (covered !== null && !looksOrdered) {
            expect(covered.from).toBeGreaterThanOrEqual(range.from);
            expect(covered.to).toBeLessThanOrEqual(range.to);
            expect(covered.from).toBeLessThan(covered.to);
            const shown = new Set(came);
            const withheld = one.rows.filter((row) => covered.from <= row && row < covered.to && !shown.has(row));
            expect(withheld).toEqual([]);
          }
        }
      }),
      { numRuns: 5000 },
    );
  });

  test("a width that counts as safe is never wider than the clamp", () => {
    fc.assert(
      fc.property(service, window, (one, range) => {
        expect(safeWidth(provenBy(ask(one, range).answer))).toBeLessThanOrEqual(one.clamp?.width ?? 201 * HOUR);
      }),
      { numRuns: 2000 },
    );
  });
});

test("a range of a day is assumed to get a whole answer", () => {
  expect(safeWidth(NOTHING_PROVEN)).toBe(DAY_MS - 1);
  expect(safeWidth({ keepingEnd: 5 * DAY_MS, keepingBeginning: 6 * DAY_MS })).toBe(5 * DAY_MS);
});
