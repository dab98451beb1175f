import { expect, test } from "vitest";
import { historyOfYears } from "../bench/history.ts";
import { Meter } from "../bench/meter.ts";

// A run asks the store the same, however long the history is; what it reads and writes then is in
// bench/RESULTS.md.

async function factsOf(fills: number) {
  const { facts = {} } = await historyOfYears(1)({ dir: "", fills }, new Meter());
  return facts;
}

/** A look-back of more rows than one commit has is two commits. */
test("requests of a run grow by two where a look-back is larger than a commit; those of `status` and of a month not at all", async () => {
  // Of status, the notes of checks are a part.
  const requests = { statusRequests: 3, monthRequests: 2 };
  expect(await factsOf(10_000)).toMatchObject({ ...requests, quietRequests: 5, busyRequests: 7 });
  expect(await factsOf(1_000_000)).toMatchObject({ ...requests, quietRequests: 7, busyRequests: 9 });
});
