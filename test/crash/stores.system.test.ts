import { describe, test } from "vitest";
import { doubleKills, lateLandings, singles, TEST_TIMEOUT_MS } from "./enumerate.ts";
import { folderPlace, memoryPlace, s3Place } from "./place.ts";
import { firstRun, SUBJECTS } from "./subject.ts";

// Every operation of a run can fail, lose its answer, land late or be the last. In memory: one disturbed operation a
// run, the first and the last of each kind, and some drawn pairs. On S3 and in a folder: the first of each kind. For
// all operations see memory.night.test.ts.

describe.each(SUBJECTS)("a %s leaves the old state or the new one,", (_, make) => {
  test(
    "disturbed at any kind of operation",
    async () => await singles(memoryPlace(), await make(), 2),
    TEST_TIMEOUT_MS,
  );

  test("killed twice in a row", async () => await doubleKills(memoryPlace(), await make(), 3, 3), TEST_TIMEOUT_MS);

  test(
    "whose write lands when another has taken over",
    async () => await lateLandings(memoryPlace(), await make(), 3, 3),
    TEST_TIMEOUT_MS,
  );
});

test.each([
  ["S3", s3Place],
  ["a folder", folderPlace],
] as const)(
  "a first run on %s, disturbed at any kind of operation, leaves the old state or the new one",
  async (_, open) => {
    const place = await open();
    try {
      await singles(place, firstRun(), 1);
    } finally {
      await place.close();
    }
  },
  TEST_TIMEOUT_MS,
);
