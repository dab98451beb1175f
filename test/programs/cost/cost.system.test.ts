import { describe, expect, test } from "vitest";
import { costOf, ORDERS, SHAPES } from "./measure.ts";

// Hard limits on what a walk costs, on virtual time: `npm run cost` writes the table of them for several
// accounts each.

const SEED = 1;

const ACCOUNTS = SHAPES.flatMap((shape) => ORDERS.map((order) => [shape, order] as const));

describe("100,000 fills in a year, 16 workers", () => {
  test.each(ACCOUNTS.filter(([, order]) => isInOrder(order)))(
    "%s, %s: at most 1.10 of the least requests, 8 times as fast as one chain",
    async (shape, order) => {
      const cost = await costOf({ fills: 100_000, workers: 16, shape, order, seed: SEED });
      expect(cost.isWhole).toBe(true);
      expect(cost.ratio).toBeLessThanOrEqual(1.1);
      // One chain cannot be faster than a page after the other.
      const chainMs = 1000 * 50;
      expect(chainMs / cost.ms).toBeGreaterThanOrEqual(8);
    },
  );

  // The longest window is asked for twice: an answer that no other is longer than may have been cut.
  test.each(SHAPES)("%s, in no order: at most twice", async (shape) => {
    const cost = await costOf({ fills: 100_000, workers: 16, shape, order: "unordered", seed: SEED });
    expect(cost.isWhole).toBe(true);
    expect(cost.ratio).toBeLessThanOrEqual(2);
  });
});

function isInOrder(order: string): boolean {
  return order === "descending" || order === "ascending";
}

describe("10,000 fills in a year, 4 workers: at most 1.15 of the least requests, half more in no order", () => {
  test.each(ACCOUNTS)("%s, %s", async (shape, order) => {
    const cost = await costOf({ fills: 10_000, workers: 4, shape, order, seed: SEED });
    expect(cost.isWhole).toBe(true);
    expect(cost.ratio).toBeLessThanOrEqual(isInOrder(order) ? 1.15 : 1.5);
  });
});

test.each(ORDERS)(
  "10,000 fills, one worker, %s: at most 1.10 and six requests more, half more in no order",
  async (order) => {
    const cost = await costOf({ fills: 10_000, workers: 1, shape: "uniform", order, seed: SEED });
    expect(cost.isWhole).toBe(true);
    expect(cost.requests).toBeLessThanOrEqual((isInOrder(order) ? 1.1 : 1.45) * 100 + 6);
  },
);
