import { expect, test } from "vitest";
import { historyOfYears } from "../bench/history.ts";
import { Meter } from "../bench/meter.ts";

// The number of a run's requests to the store does not depend on the length of the history. bench/RESULTS.md
// has the bytes that it reads and writes.

async function factsOf(fills: number) {
  const { facts = {} } = await historyOfYears(1)({ dir: "", fills }, new Meter());
  return facts;
}

/** A look-back with more rows than a commit holds takes two commits. */
test("a run needs two more requests if its look-back is larger than a commit; `status` and a month need no more", async () => {
  // `status` also reads the notes of checks.
  const requests = { statusRequests: 3, monthRequests: 2 };
  expect(await factsOf(10_000)).toMatchObject({ ...requests, quietRequests: 5, busyRequests: 7 });
  expect(await factsOf(1_000_000)).toMatchObject({ ...requests, quietRequests: 7, busyRequests: 9 });
});
