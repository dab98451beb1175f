import { test } from "vitest";
import { singles, TEST_TIMEOUT_MS } from "./enumerate.ts";
import { memoryPlace } from "./place.ts";
import { SUBJECTS } from "./subject.ts";

// Every operation of a run can fail, lose its answer, land late or be the last. These tests disturb one
// operation a run, in memory, the first and the last of each kind. For all operations see memory.night.test.ts,
// for pairs, folders and S3 stores.system.test.ts.

test.each(SUBJECTS)(
  "a %s that is disturbed at any kind of operation leaves the old state or the new one, and the next ends with the same bytes",
  async (_, make) => {
    await singles(memoryPlace(), await make(), 2);
  },
  TEST_TIMEOUT_MS,
);
