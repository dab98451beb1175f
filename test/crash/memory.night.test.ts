import { test } from "vitest";
import { SUBJECTS } from "./subject.ts";
import { singles, TEST_TIMEOUT_MS } from "./trial.ts";

// Every single operation.

test.each(SUBJECTS)(
  "a %s that is disturbed at any operation leaves the old state or the new one, and the next ends with the same bytes",
  async (_, make) => await singles(await make(), Number.POSITIVE_INFINITY),
  TEST_TIMEOUT_MS,
);
