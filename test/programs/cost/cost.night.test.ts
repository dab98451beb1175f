import { describe, expect, test } from "vitest";
import { costOf, ORDERS, SHAPES } from "./measure.ts";

// Hard limits on the cost of a walk, in virtual time. `npm run cost` writes a table for several accounts
// each.

const SEED = 1;

const ACCOUNTS = SHAPES.flatMap((shape) => ORDERS.map((order) => [shape, order] as const));

describe("100,000 fills in a year, 16 workers", () => {
  test.each(ACCOUNTS.filter(([, order]) => isInOrder(order)))(
    "%s, %s: at most 1.10 times the least requests, at least 8 times as fast as a single chain",
    async (shape, order) => {
      const cost = await costOf({ fills: 100_000, workers: 16, shape, order, seed: SEED });
      expect(cost.isWhole).toBe(true);
      expect(cost.ratio).toBeLessThanOrEqual(1.1);
      // A single chain can at best get one page after the other.
      const chainMs = 1000 * 50;
      expect(chainMs / cost.ms).toBeGreaterThanOrEqual(8);
    },
  );

  // The longest window is requested twice: if no other answer is longer, it may have been cut.
  test.each(SHAPES)("%s, without an order: at most twice the least requests", async (shape) => {
    const cost = await costOf({ fills: 100_000, workers: 16, shape, order: "unordered", seed: SEED });
    expect(cost.isWhole).toBe(true);
    expect(cost.ratio).toBeLessThanOrEqual(2);
  });
});

function isInOrder(order: string): boolean {
  return order === "descending" || order === "ascending";
}

describe("10,000 fills in a year, 4 workers: at most 1.15 times the least requests, 1.5 times without an order", () => {
  test.each(ACCOUNTS)("%s, %s", async (shape, order) => {
    const cost = await costOf({ fills: 10_000, workers: 4, shape, order, seed: SEED });
    expect(cost.isWhole).toBe(true);
    expect(cost.ratio).toBeLessThanOrEqual(isInOrder(order) ? 1.15 : 1.5);
  });
});

test.each(ORDERS)(
  "10,000 fills, one worker, %s: at most 1.10 times the least requests and six more, 1.45 times without an order",
  async (order) => {
    const cost = await costOf({ fills: 10_000, workers: 1, shape: "uniform", order, seed: SEED });
    expect(cost.isWhole).toBe(true);
    expect(cost.requests).toBeLessThanOrEqual((isInOrder(order) ? 1.1 : 1.45) * 100 + 6);
  },
);
