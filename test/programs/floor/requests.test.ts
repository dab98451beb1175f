import { describe, expect, test } from "vitest";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { makeHistory } from "../../emulator/history.ts";
import { makeBench } from "../../support/job.ts";
import { YEAR } from "../bench/account-file.ts";
import { type RunCost, runNights } from "../bench/nights.ts";

// A run's requests to the service and to the store. The counts are exact: the account comes from a seed, in
// virtual time. A change that alters a count must change it here and say why.

/** A page has a hundred fills, so 20,000 fills need 200 requests. */
test.each([
  ["with the year's first day", YEAR.from, 211],
  ["without", undefined, 248],
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

/**
 * A night with nothing new requests the archive's newest fill, the pages of its look-back and the page
 * without dates from the service. It sends the store seven requests. It reads the head, the data file of that
 * fill, and the data file of the page's fills. It lists the manifests, because none may be newer than the
 * head knows. It writes the head (which takes the archive), a manifest and the head again. A night with new
 * fills also reads and writes the data file that they belong to, and writes their pages.
 */
describe.each([
  {
    fills: 300,
    first: { requests: 50, writes: 20, reads: 6, lists: 2 },
    nothingNew: { requests: 3, writes: 3, reads: 3, lists: 1 },
    tenNew: { requests: 3, writes: 5, reads: 4, lists: 1 },
    objects: { fills: 11, "head.json": 1, manifests: 3, pages: 6 },
  },
  {
    fills: 10_000,
    first: { requests: 143, writes: 26, reads: 1, lists: 2 },
    nothingNew: { requests: 5, writes: 3, reads: 4, lists: 1 },
    tenNew: { requests: 5, writes: 5, reads: 5, lists: 1 },
    objects: { fills: 12, "head.json": 1, manifests: 3, pages: 10 },
  },
])("an account of $fills fills in a year", ({ fills, first, nothingNew, tenNew, objects }) => {
  test("the first run, and the second night after it with nothing new", async () => {
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
