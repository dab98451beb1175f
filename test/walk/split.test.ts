import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Order } from "../../lambda/archive/manifest.ts";
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

/** A chain whose pages had these rows; it waits for the next one. `asked`: the upper date, where it is beyond the window. */
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
    settle: () => Promise.resolve(),
    onPage: () => undefined,
  });
  await read.promise;
  return chain;
}

/** So many pages of 100 rows, evenly `stepMs` apart, from `start` in the direction of the step. */
function even(pages: number, start: number, stepMs: number): number[][] {
  return Array.from({ length: pages }, (_, page) =>
    Array.from({ length: 100 }, (_row, at) => start + (page * 100 + at) * stepMs),
  );
}

describe("who gives a part", () => {
  test("the chain that has the most rows left, by the density of its last page", async () => {
    const order = new OrderProof(DESCENDING);
    const wide = await chainOf(order, { from: T0, to: T0 + 10 * DAY_MS }, even(2, T0 + 10 * DAY_MS - 1, -60_000));
    const dense = await chainOf(
      order,
      { from: T0 + 20 * DAY_MS, to: T0 + 21 * DAY_MS },
      even(2, T0 + 21 * DAY_MS - 1, -1000),
    );
    const split = chooseSplit([wide, dense], order, AMPLE);
    expect(split?.victim).toBe(dense); // some 86,000 rows to some 14,000
  });

  test.each([
    ["that has not read a page", []],
    ["with less than two pages left", even(2, T0 + 390_000 - 1, -1000)],
    ["with less than two seconds left", even(1, T0 + 2098, -1)],
  ])("none %s", async (_, pages) => {
    const order = new OrderProof(DESCENDING);
    const to = Math.max(T0 + 10_000, (pages[0]?.[0] ?? 0) + 1);
    expect(chooseSplit([await chainOf(order, { from: T0, to }, pages)], order, AMPLE)).toBeNull();
  });

  test("none while the order is refuted, or nothing of it was seen", async () => {
    for (const known of [
      { ...DESCENDING, refuted: true },
      { direction: null, evidence: 0, refuted: false },
    ]) {
      const order = new OrderProof(known);
      const chain = await chainOf(order, { from: T0, to: T0 + DAY_MS }, even(1, T0 + DAY_MS - 1, -1000));
      expect(chooseSplit([chain], order, AMPLE)).toBeNull();
    }
  });

  test("one more for each worker, and then few for the pages that were read: an account of few pages is not torn to pieces", async () => {
    const order = new OrderProof(DESCENDING);
    const chain = await chainOf(order, { from: T0, to: T0 + DAY_MS }, even(1, T0 + DAY_MS - 1, -1000));
    const chains = (count: number) => Array.from({ length: count }, () => chain);
    const mayAt = (count: number, spent: typeof AMPLE) => chooseSplit(chains(count), order, spent) !== null;
    expect(mayAt(4, { wasted: 0, pages: 1, workers: 4 })).toBe(true);
    expect(mayAt(4, { wasted: 2, pages: 1, workers: 4 })).toBe(false);
    expect(mayAt(4, { wasted: 2, pages: 110, workers: 4 })).toBe(true);
  });
});

describe("where it is cut", () => {
  test("in the middle of what is unread, where that is not more than 64 pages a half", async () => {
    const order = new OrderProof(DESCENDING);
    const chain = await chainOf(order, { from: T0, to: T0 + DAY_MS }, even(2, T0 + DAY_MS - 1, -20_000));
    const edge = T0 + DAY_MS - 1 - 199 * 20_000;
    const at = edge - Math.floor((edge - T0) / 2);
    expect(chooseSplit([chain], order, AMPLE)).toEqual({ victim: chain, at, part: freshWindow({ from: T0, to: at }) });
  });

  test("after 64 pages at the last page's density, where more is left", async () => {
    const order = new OrderProof(DESCENDING);
    const chain = await chainOf(order, { from: T0, to: T0 + 365 * DAY_MS }, even(2, T0 + 365 * DAY_MS - 1, -1000));
    const edge = T0 + 365 * DAY_MS - 1 - 199 * 1000;
    const split = chooseSplit([chain], order, AMPLE);
    expect(edge - (split?.at ?? 0)).toBeGreaterThan(63 * 100 * 1000);
    expect(edge - (split?.at ?? 0)).toBeLessThan(65 * 100 * 1000);
  });

  test("before the order is proven: sixteen pages must be left, and the chain keeps eight", async () => {
    const rowMs = 1000;
    const leaving = async (pages: number) => {
      const order = new OrderProof({ direction: null, evidence: 0, refuted: false });
      const to = T0 + (pages + 2) * 100 * rowMs;
      const chain = await chainOf(order, { from: T0, to }, even(2, to - 1, -rowMs));
      expect([order.state.direction, order.direction]).toEqual(["descending", null]);
      return { split: chooseSplit([chain], order, AMPLE), edge: chain.edge ?? 0 };
    };
    expect((await leaving(15)).split).toBeNull();
    const { split, edge } = await leaving(17);
    expect(edge - (split?.at ?? 0)).toBeGreaterThanOrEqual(8 * 99 * rowMs);
  });

  test("an anchored window that has not come to its own times yet is cut inside of them", async () => {
    const order = new OrderProof(DESCENDING);
    const window = { from: T0, to: T0 + DAY_MS };
    const asked = T0 + 3 * DAY_MS;
    const chain = await chainOf(order, window, even(2, asked, -10_000), asked);
    const split = chooseSplit([chain], order, AMPLE);
    expect(split?.at).toBe(T0 + DAY_MS / 2);
    expect(split?.part).toEqual(freshWindow({ from: T0, to: T0 + DAY_MS / 2 }));
  });
});

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

/** Pages of rows that go on from one end of the range in such steps, as far as they are in it. */
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

test("the victim and the part are the old window, neither is empty, and the chain keeps what it has read; again and again", async () => {
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
        const { from, to } = chain.window;
        const edge = chain.edge ?? 0;
        splits += 1;
        chain.cut(split.at);
        const kept = chain.window;
        const [low, high] = isUp ? [kept, split.part] : [split.part, kept];
        expect([low.from, low.to, high.from, high.to]).toEqual([from, split.at, split.at, to]);
        expect(Math.min(low.to - low.from, high.to - high.from)).toBeGreaterThan(0);
        expect(to - from).toBeGreaterThanOrEqual(2 * SECOND_MS);
        expect(holds([split.part], edge)).toBe(false);
        expect(kept.cut).toBe(isUp ? "to" : "from");
        expect([kept.askFrom, kept.askTo]).toEqual([window.from, asked]); // its dates stay as they were
      }
    }),
    { numRuns: 1000 },
  );
  expect(splits).toBeGreaterThan(100);
});

test("ascending is descending in a mirror", async () => {
  const widthMs = 30 * DAY_MS;
  const downwards = new OrderProof(DESCENDING);
  const down = await chainOf(downwards, { from: T0, to: T0 + widthMs }, even(3, T0 + widthMs - 1, -7000));
  const upwards = new OrderProof(ASCENDING);
  const up = await chainOf(upwards, { from: T0 - widthMs, to: T0 }, even(3, T0 - widthMs, 7000));
  const [a, b] = [chooseSplit([down], downwards, AMPLE), chooseSplit([up], upwards, AMPLE)];
  const fromEnd = T0 + widthMs - (a?.at ?? 0);
  const fromBeginning = (b?.at ?? 0) - (T0 - widthMs);
  expect(Math.abs(fromEnd - fromBeginning)).toBeLessThanOrEqual(2);
  expect(b?.part).toEqual(freshWindow({ from: b?.at ?? 0, to: T0 }));
});
