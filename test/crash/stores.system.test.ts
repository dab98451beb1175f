import { afterAll, beforeAll, describe, test } from "vitest";
import { ALL, doubleFates, doubleKills, lateLandings, singles, TEST_TIMEOUT_MS } from "./enumerate.ts";
import { folderPlace, memoryPlace, type Place, s3Place } from "./place.ts";
import { collectingRun, exportRun, firstRun, nightlyRun, type Subject } from "./subject.ts";

// Every operation of a run can fail, lose its answer, land late or be its last: on each store, alone (in memory: memory.test.ts) and in pairs.

const PLACES: readonly [Place["name"], () => Promise<Place>, number][] = [
  ["memory", () => Promise.resolve(memoryPlace()), 1],
  ["folder", folderPlace, ALL ? 1 : 7],
  ["s3", s3Place, ALL ? 1 : 7],
];
const SUBJECTS: readonly [string, () => Subject | Promise<Subject>][] = [
  ["first run", firstRun],
  ["nightly run", nightlyRun],
  ["export", exportRun],
];

describe.each(PLACES)("on the %s store", (name, open, step) => {
  let place: Place;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.close());

  describe.each(SUBJECTS)("a %s", (_subject, make) => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await make();
    });

    const enumerated = (name: string, tried: () => Promise<unknown>) => test(name, tried, TEST_TIMEOUT_MS);

    if (name !== "memory") {
      enumerated(
        "disturbed at any operation, leaves the old state or the new one, and the next ends in the same bytes",
        () => singles(place, subject),
      );
    }
    enumerated("killed twice in a row", () => doubleKills(place, subject, step));
    enumerated("whose write lands when another has taken over", () => lateLandings(place, subject, step));
    if (ALL && name === "memory") {
      enumerated("disturbed twice, in every two ways", () => doubleFates(place, subject));
    }
  });

  if (name !== "memory") {
    test(
      "a run that collects orphans, disturbed at any operation, leaves all that is named, and the next leaves nothing else",
      async () => {
        await singles(place, await collectingRun(place.now()));
      },
      TEST_TIMEOUT_MS,
    );
  }
});
