import fc from "fast-check";
import { expect, test } from "vitest";
import type { OpenWindow, Order } from "../../lambda/archive/manifest.ts";
import { holds } from "../../lambda/core/ranges.ts";
import { DAY_MS, SECOND_MS, type TimeRange } from "../../lambda/core/time.ts";
import { Chain } from "../../lambda/walk/chain.ts";
import { OrderProof } from "../../lambda/walk/order.ts";
import { chooseSplit } from "../../lambda/walk/split.ts";
import { freshWindow } from "../../lambda/walk/window.ts";
import { stubReader } from "../cli/commands/stub-reader.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { makeFill } from "../support/make-fill.ts";

const T0 = Date.UTC(2025, 0, 1);
const DESCENDING: Order = { direction: "descending", evidence: 99, refuted: false, endSeen: true };
const ASCENDING: Order = { ...DESCENDING, direction: "ascending" };
const AMPLE = { wasted: 0, pages: 1_000_000, workers: 16 };

/**
 * A chain that has read pages with these rows and waits for the next page. `asked`: the upper date of its
 * requests, if it is beyond the window.
 */
async function chainOf(
  order: OrderProof,
  { from, to }: { from: number; to: number },
  pages: readonly (readonly number[])[],
  asked = to,
) {
  const chain = new Chain({ ...freshWindow({ from, to }), askTo: asked }, { order });
  let nth = 0;
  const read = Promise.withResolvers<void>();
  const never = new Promise<never>(() => undefined);
  void chain.run({
    reader: stubReader({
      completedOrders: () => {
        const times = pages[nth];
        nth += 1;
        if (times === undefined) {
          read.resolve();
          return never;
        }
        const rows = times.map((txCreated, at) => ({
          fill: makeFill({ matchId: `m-${from}-${nth}-${at}`, txCreated }),
        }));
        return Promise.resolve({ kind: "page" as const, body: String(nth), rows, last: `c${nth}` });
      },
    }),
    clock: fakeClock({ now: T0 + 500 * DAY_MS }),
    signal: new AbortController().signal,
    emit: () => undefined,
    afterSegment: () => Promise.resolve(),
    onPage: () => undefined,
  });
  await read.promise;
  return chain;
}

const drawn = fc.record({
  widthMs: fc.integer({ min: 3000, max: 400 * DAY_MS }),
  steps: fc.array(fc.array(fc.constantFrom(0, 0, 1, 5, 1000, 60_000, DAY_MS), { minLength: 1, maxLength: 20 }), {
    minLength: 1,
    maxLength: 12,
  }),
  isUp: fc.boolean(),
  isKnown: fc.boolean(),
  aboveMs: fc.constantFrom(0, 0, DAY_MS),
});

function ordered(isUp: boolean): Order {
  return isUp ? ASCENDING : DESCENDING;
}

/** Pages of rows that start at one end of the range and go on in these steps, as far as they stay inside. */
function pagesOf(steps: readonly (readonly number[])[], { from, to }: TimeRange, isUp: boolean): number[][] {
  let time = isUp ? from : to;
  return steps.map((page) => {
    const times = page.map((step) => {
      time += isUp ? step : -step;
      return time;
    });
    return times.filter((one) => from <= one && one <= to);
  });
}

function askedOf({ askFrom, askTo }: OpenWindow): number[] {
  return [askFrom, askTo];
}

test("a split gives two windows that make up the old one and are not empty, and the chain keeps what it has read; repeatedly", async () => {
  let splits = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async ({ widthMs, steps, isUp, isKnown, aboveMs }) => {
      const window = { from: T0, to: T0 + widthMs };
      const order = new OrderProof(isKnown ? ordered(isUp) : { direction: null, evidence: 0, refuted: false });
      const asked = isUp ? window.to : window.to + aboveMs;
      const pages = pagesOf(steps, { from: window.from, to: asked }, isUp);
      const chain = await chainOf(order, window, pages, asked);
      const next = () => chooseSplit([chain], order, AMPLE);
      for (let split = next(); split !== null; split = next()) {
        const { from, to, askFrom, askTo } = chain.window;
        const edge = chain.edge ?? 0;
        splits += 1;
        chain.cut(split.at);
        const kept = chain.window;
        const halves = [kept, split.part].sort((a, b) => a.from - b.from);
        expect(halves.flatMap((half) => [half.from, half.to])).toEqual([from, split.at, split.at, to]);
        expect(Math.min(...halves.map((half) => half.to - half.from))).toBeGreaterThan(0);
        expect(to - from).toBeGreaterThanOrEqual(2 * SECOND_MS);
        expect(holds([split.part], edge)).toBe(false);
        expect(kept.cut).toBe(isUp ? "to" : "from");
        expect(askedOf(kept)).toEqual([window.from, asked]); // its dates stay as they were
        // At its far end, the new part is requested as far as the old window was: beyond the cut if there was
        // one, otherwise up to the window's end.
        expect(askedOf(split.part)).toEqual(isUp ? [split.at, askTo] : [askFrom, split.at]);
      }
    }),
    { numRuns: 1000 },
  );
  expect(splits).toBeGreaterThan(100);
});
