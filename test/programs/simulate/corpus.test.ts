import { expect, test } from "vitest";
import { CORPUS } from "./corpus.ts";
import { simulate } from "./simulate.ts";
import { failure } from "./suite.ts";

test.each(CORPUS.filter(({ isOpen }) => isOpen !== true))("$why", async ({ scenario }) => {
  expect(failure(await simulate(scenario.seed, scenario))).toEqual([]);
});

/** Open cases must fail. As soon as one is repaired, this test fails, and the case belongs to the others. */
const open = CORPUS.filter(({ isOpen }) => isOpen === true);
test.skipIf(open.length === 0).each(open)("still open: $why", async ({ scenario }) => {
  expect(failure(await simulate(scenario.seed, scenario))).not.toEqual([]);
});
