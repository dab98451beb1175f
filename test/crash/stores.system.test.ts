import { afterAll, beforeAll, describe, test } from "vitest";
import { ALL, doubleFates, doubleKills, lateLandings, singles, TEST_TIMEOUT_MS } from "./enumerate.ts";
import { folderPlace, memoryPlace, type Place, s3Place } from "./place.ts";
import { collectingRun, exportRun, firstRun, nightlyRun, type Subject } from "./subject.ts";

// Every operation of a run can fail, lose its answer, land late or be the last. Single disturbances: all of
// them in memory (memory.test.ts, exports.system.test.ts), and some of each kind on the other stores. Pairs:
// some drawn ones.

const PLACES: readonly [Place["name"], () => Promise<Place>, ofKind: number, draws: number][] = [
  ["memory", () => Promise.resolve(memoryPlace()), 4, 4],
  ["folder", folderPlace, 2, 3],
  ["s3", s3Place, 2, 3],
];
const SUBJECTS: readonly [string, (place: Place) => Subject | Promise<Subject>][] = [
  ["first run", firstRun],
  ["nightly run", nightlyRun],
  ["export", () => exportRun()],
  ["run that collects orphans", (place) => collectingRun(place.now())],
];

describe.each(PLACES)("on the %s store", (name, open, ofKind, draws) => {
  let place: Place;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.close());

  describe.each(SUBJECTS)("a %s", (_subject, make) => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await make(place);
    });

    const enumerated = (name: string, tried: () => Promise<unknown>) => test(name, tried, TEST_TIMEOUT_MS);

    if (name !== "memory") {
      enumerated(
        "that is disturbed at any kind of operation leaves the old state or the new one, and the next ends with the same bytes",
        () => singles(place, subject, ofKind),
      );
    }
    enumerated("killed twice in a row", () => doubleKills(place, subject, ofKind, draws));
    enumerated("whose write lands when another has taken over", () => lateLandings(place, subject, ofKind, draws));
    if (ALL && name === "memory") {
      enumerated("disturbed twice, in every two ways", () => doubleFates(place, subject));
    }
  });
});
