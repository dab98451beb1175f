import { test } from "vitest";
import { singles, TEST_TIMEOUT_MS } from "./enumerate.ts";
import { memoryPlace } from "./place.ts";
import { collectingRun, firstRun, nightlyRun, type Subject } from "./subject.ts";

// Every operation of a run can fail, lose its answer, land late or be the last. These tests disturb one
// operation a run, in memory, the first and the last of each kind. For all operations, pairs, folders and S3
// see stores.system.test.ts; for exports exports.system.test.ts.

const SUBJECTS: readonly [string, () => Subject | Promise<Subject>][] = [
  ["first run", firstRun],
  ["nightly run", nightlyRun],
  ["run that collects orphans", () => collectingRun(memoryPlace().now())],
];

test.each(SUBJECTS)(
  "a %s that is disturbed at any kind of operation leaves the old state or the new one, and the next ends with the same bytes",
  async (_, make) => {
    await singles(memoryPlace(), await make(), 2);
  },
  TEST_TIMEOUT_MS,
);
