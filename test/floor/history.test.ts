import { expect, test } from "vitest";
import { historyOfYears } from "../bench/history.ts";
import { Meter } from "../bench/meter.ts";

// A run asks the store the same, however long the history is; what it reads and writes then is in BENCHMARKS.md.

async function factsOf(fills: number) {
  const { facts = {} } = await historyOfYears(1)({ dir: "", fills }, new Meter());
  return facts;
}

test("requests of a run, of `status` and of a month do not grow with history", async () => {
  const requests = { quietRequests: 3, busyRequests: 6, statusRequests: 1, monthRequests: 2 };
  expect(await factsOf(10_000)).toMatchObject(requests);
  expect(await factsOf(1_000_000)).toMatchObject(requests);
});
