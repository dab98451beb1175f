import { expect, test } from "vitest";
import { CORPUS } from "./corpus.ts";
import { simulate } from "./simulate.ts";
import { failure } from "./suite.ts";

test.each(CORPUS.filter(({ isOpen }) => isOpen !== true))("$why", async ({ scenario }) => {
  expect(failure(await simulate(scenario.seed, scenario))).toEqual([]);
});

/** Fails as soon as it is repaired: then it is a case like the others. */
const open = CORPUS.filter(({ isOpen }) => isOpen === true);
test.skipIf(open.length === 0).each(open)("still open: $why", async ({ scenario }) => {
  expect(failure(await simulate(scenario.seed, scenario))).not.toEqual([]);
});
