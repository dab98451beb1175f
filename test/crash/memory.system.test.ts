import { describe, test } from "vitest";
import { SUBJECTS } from "./subject.ts";
import { doubleKills, lateLandings, singles, TEST_TIMEOUT_MS } from "./trial.ts";

// Every operation of a run can fail, lose its answer, land late or be the last: one disturbed operation a run, the
// first and the last of each kind, and some drawn pairs. For all operations see memory.night.test.ts. That folders and
// S3 do what the store in memory does is tested in test/storage.

describe.each(SUBJECTS)("a %s leaves the old state or the new one,", (_, make) => {
  test("disturbed at any kind of operation", async () => await singles(await make(), 2), TEST_TIMEOUT_MS);

  test("killed twice in a row", async () => await doubleKills(await make(), 3, 3), TEST_TIMEOUT_MS);

  test(
    "whose write lands when another has taken over",
    async () => await lateLandings(await make(), 3, 3),
    TEST_TIMEOUT_MS,
  );
});
