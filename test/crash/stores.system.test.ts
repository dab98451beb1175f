import { describe, test } from "vitest";
import { doubleKills, lateLandings, singles, TEST_TIMEOUT_MS } from "./enumerate.ts";
import { folderPlace, memoryPlace, s3Place } from "./place.ts";
import { firstRun, SUBJECTS } from "./subject.ts";

// Two disturbances, some drawn ones, in memory; and the first single one of each kind on S3 and in a folder. For single
// ones in memory see memory.system.test.ts.

describe.each(SUBJECTS)("a %s", (_, make) => {
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
