import { describe, test } from "vitest";
import { doubleKills, lateLandings, singles, TEST_TIMEOUT_MS } from "./enumerate.ts";
import { memoryPlace, s3Place } from "./place.ts";
import { collectingRun, exportRun, firstRun, nightlyRun, type Subject } from "./subject.ts";

// All single disturbances in memory, but those of exports (exports.system.test.ts); two disturbances, some drawn
// ones; and some single ones on S3. For those of a folder see folder-calls.system.test.ts.

const SUBJECTS: readonly [string, () => Subject | Promise<Subject>][] = [
  ["first run", firstRun],
  ["nightly run", nightlyRun],
  ["export", exportRun],
  ["run that collects orphans", () => collectingRun(memoryPlace().now())],
];

describe.each(SUBJECTS)("a %s", (name, make) => {
  test.skipIf(name === "export")(
    "disturbed at any operation leaves the old state or the new one, and the next ends with the same contents",
    async () => await singles(memoryPlace(), await make(), Number.POSITIVE_INFINITY),
    TEST_TIMEOUT_MS,
  );

  test("killed twice in a row", async () => await doubleKills(memoryPlace(), await make(), 3, 3), TEST_TIMEOUT_MS);

  test(
    "whose write lands when another has taken over",
    async () => await lateLandings(memoryPlace(), await make(), 3, 3),
    TEST_TIMEOUT_MS,
  );
});

test(
  "a first run on S3, disturbed at any kind of operation, leaves the old state or the new one",
  async () => {
    const place = await s3Place();
    try {
      await singles(place, firstRun(), 2);
    } finally {
      await place.close();
    }
  },
  TEST_TIMEOUT_MS,
);
