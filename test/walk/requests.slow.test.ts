import { expect, test } from "vitest";
import { DAY_MS } from "../../lambda/core/time.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import { NOW } from "../support/job.ts";
import { costOf, ratioOf, SHAPES } from "./requests.ts";

// The most requests of a sync, both readings counted, in virtual time. Larger accounts: requests.night.test.ts. Small
// and empty ones, and services that cut ranges: behaviours.ts.

test.each(SHAPES)(
  "10,000 fills in a year, %s: at most 2.6 times the least, the first reading 1.15 times",
  async (shape) => {
    const account = { fills: 10_000, workers: 4, shape, order: "descending", seed: 1 } as const;
    const both = await ratioOf(account, "hurry");
    expect(both.isWhole).toBe(true);
    expect(both.ratio).toBeLessThanOrEqual(2.6);
    expect((await ratioOf(account, "once")).ratio).toBeLessThanOrEqual(1.15);
  },
);

test.each([0, 30])("a night of %d new fills: at most 12 requests and the look-back's own pages", async (perDay) => {
  const old = makeHistory({ seed: 1, fills: 700, from: NOW - 60 * DAY_MS, to: NOW - 20 * DAY_MS });
  const items = Array.from({ length: old.count }, (_, index) => old.item(index));
  const news = makeHistory({ seed: 2, fills: perDay * 13, from: NOW - 8 * DAY_MS, to: NOW + 5 * DAY_MS });
  const history = historyOf([...items, ...Array.from({ length: news.count }, (_, index) => news.item(index))]);
  const cost = await costOf(history, { workers: 4, nights: 4, job: { lookBackMs: 7 * DAY_MS } });
  expect(cost.isWhole).toBe(true);
  // A question shows three quarters of a page.
  const lookBack = Math.ceil((perDay * 7) / 75);
  expect(Math.max(...cost.requests.slice(1))).toBeLessThanOrEqual(12 + lookBack);
});

test.each([1, 3])("pages in any order, and a millisecond with more fills than one: whole (%d)", async (seed) => {
  const account = { fills: 1000, workers: 4, shape: "uniform", order: "shuffled-pages", seed } as const;
  expect(await ratioOf(account, "hurry")).toMatchObject({ isWhole: true });
});
