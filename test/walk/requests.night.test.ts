import { expect, test } from "vitest";
import { ORDERS, PAGE_MS, ratioOf, SHAPES } from "./requests.ts";

// Hard limits on the cost of large accounts, in virtual time. Small ones are in requests.slow.test.ts.

const ACCOUNTS = SHAPES.flatMap((shape) => ORDERS.map((order) => [shape, order] as const));

test.each(ACCOUNTS)("100,000 fills in a year, 16 workers, both readings: %s, %s", async (shape, order) => {
  const account = { fills: 100_000, workers: 16, shape, order, seed: 1 };
  const both = await ratioOf(account, "hurry");
  expect(both.isWhole).toBe(true);
  if (order === "descending" || order === "ascending") {
    const once = await ratioOf(account, "once");
    expect(both.ratio).toBeLessThanOrEqual(2.6);
    expect(once.ratio).toBeLessThanOrEqual(1.15);
    // A single chain can at best get one page after the other.
    expect((1000 * PAGE_MS) / once.ms).toBeGreaterThanOrEqual(8);
    expect((1000 * PAGE_MS) / both.ms).toBeGreaterThanOrEqual(5);
  }
});
