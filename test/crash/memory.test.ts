import { test } from "vitest";
import { singles, TEST_TIMEOUT_MS, thinOf } from "./enumerate.ts";
import { memoryPlace } from "./place.ts";
import { exportApart, exportRun, firstRun, nightlyRun, type Subject } from "./subject.ts";

// Every operation of a run can fail, lose its answer, land late or be its last: here one in each run, in memory. Pairs, folders and S3: stores.system.test.ts.

const SUBJECTS: readonly [string, () => Subject | Promise<Subject>][] = [
  ["first run", firstRun],
  ["nightly run", nightlyRun],
  ["export", exportRun],
];

test.each(SUBJECTS)(
  "a %s, disturbed at any operation, leaves the old state or the new one, and the next ends in the same bytes",
  async (_, make) => {
    await singles(memoryPlace(), await make());
  },
  TEST_TIMEOUT_MS,
);

test(
  "an export whose packs go to a store of their own, disturbed at any operation on either, leaves the old pack or the new one",
  async () => {
    const subject = await exportApart();
    await singles(memoryPlace(), subject, thinOf(subject));
  },
  TEST_TIMEOUT_MS,
);
