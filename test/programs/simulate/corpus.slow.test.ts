import { expect, test } from "vitest";
import { CORPUS } from "./corpus.ts";
import { simulate } from "./simulate.ts";
import { failure } from "./suite.ts";

test.each(CORPUS)("$why", async ({ scenario }) => {
  expect(failure(await simulate(scenario.seed, scenario))).toEqual([]);
});
