import { describe, expect, test } from "vitest";
import { syncArchive } from "../../lambda/flow/sync.ts";
import { YEAR } from "../bench/account-file.ts";
import { type RunCost, runNights } from "../bench/nights.ts";
import { makeHistory } from "../emulator/history.ts";
import { makeBench } from "../support/job.ts";

// What a run asks of the service and of the store: exact, from a seed and on virtual time. A change that moves a count changes it here, and says why.

/** A page is a hundred fills: 20,000 of them need 200 requests. */
test.each([
  ["with the year's first day", YEAR.from, 210],
  ["without", undefined, 235],
])("a year of 20,000 fills, %s: requests to the service", async (_, from, requests) => {
  const { job } = makeBench({ history: makeHistory({ seed: 1, fills: 20_000, ...YEAR }) });
  const result = await syncArchive(job, from === undefined ? {} : { from });
  expect(result).toMatchObject({ complete: true, fills: 20_000, requests });
});

interface Asked {
  readonly requests: number;
  readonly writes: number;
  readonly reads: number;
  readonly lists: number;
}

function askedBy({ requests, store: { writes, reads, lists } }: RunCost): Asked {
  return { requests, writes, reads, lists };
}

/** The goal of a night with nothing new is 3 requests to the store: the head read, a manifest and the head written. */
describe.each([
  {
    fills: 300,
    first: { requests: 27, writes: 36, reads: 1, lists: 2 },
    nothingNew: { requests: 10, writes: 17, reads: 3, lists: 0 },
    tenNew: { requests: 10, writes: 18, reads: 4, lists: 0 },
    objects: { fills: 11, "head.json": 1, manifests: 8, pages: 38 },
  },
  {
    fills: 10_000,
    first: { requests: 135, writes: 53, reads: 1, lists: 2 },
    nothingNew: { requests: 15, writes: 8, reads: 5, lists: 0 },
    tenNew: { requests: 15, writes: 9, reads: 6, lists: 0 },
    objects: { fills: 12, "head.json": 1, manifests: 4, pages: 43 },
  },
])("an account of $fills fills in a year", ({ fills, first, nothingNew, tenNew, objects }) => {
  test("from nothing, and the second night after it, with nothing new", async () => {
    const run = await runNights({ fills, addedANight: 0, nights: 2 });
    expect(run.first.added).toBe(fills);
    expect(askedBy(run.first)).toEqual(first);
    expect(run.nights.map(({ added }) => added)).toEqual([0, 0]);
    expect(run.nights.slice(1).map(askedBy)).toEqual([nothingNew]);
    expect(run.objects).toEqual(objects);
  });

  test("the second night with 10 new fills", async () => {
    const run = await runNights({ fills, addedANight: 10, nights: 2 });
    expect(run.nights.map(({ added }) => added)).toEqual([10, 10]);
    expect(run.nights.slice(1).map(askedBy)).toEqual([tenNew]);
  });
});
