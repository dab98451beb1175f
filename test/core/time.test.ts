import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { systemAfter } from "../../lambda/core/clock.ts";
import { localDays } from "../../lambda/core/local-day.ts";
import { isoTime, isoTimes } from "../../lambda/core/time.ts";

const times = fc.oneof(
  fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 }),
  fc.integer({ min: Date.UTC(2025, 0, 1) - 2000, max: Date.UTC(2025, 0, 2) + 2000 }),
);

test.prop([fc.array(times, { minLength: 1, maxLength: 20 })])(
  "a sequence of times is formatted as isoTime does",
  (all) => {
    const isoOf = isoTimes();
    expect(all.map((ms) => isoOf(ms))).toEqual(all.map((ms) => isoTime(ms)));
  },
);

test("a cancelled call is not made, and any other call is made once", async () => {
  const called: string[] = [];
  const cancel = systemAfter(1, () => called.push("cancelled"));
  cancel();
  await new Promise<void>((resolve) => {
    systemAfter(2, () => {
      called.push("due");
      resolve();
    });
  });
  expect(called).toEqual(["due"]);
});

/** The zone's date by another implementation: ICU, through Intl. */
function datesByIcu(zone: string): (ms: number) => string {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return (ms) => format.format(ms);
}

const ZONES = [
  "UTC",
  "Europe/London",
  "America/New_York",
  "Asia/Kolkata", // + 5:30
  "Asia/Kathmandu", // + 5:45
  "Australia/Lord_Howe", // summer time shifts it by half an hour
  "Pacific/Apia", // had no 30 December 2011
  "Africa/Cairo", // skips midnight in spring
];
const instants = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2100, 0) });

describe("local days", () => {
  test.prop([fc.constantFrom(...ZONES), fc.array(instants, { minLength: 1, maxLength: 20 })])(
    "agree with another implementation, in any order of times",
    (zone, times) => {
      const dayOf = localDays(zone);
      expect(times.map((ms) => dayOf(ms))).toEqual(times.map(datesByIcu(zone)));
    },
  );

  test.each(ZONES)("change within milliseconds, in %s", (zone) => {
    const dayOf = localDays(zone);
    const expected = datesByIcu(zone);
    const QUARTER_MS = 900_000;
    for (const start of [Date.UTC(2011, 10, 5), Date.UTC(2011, 11, 29), Date.UTC(2025, 2, 28), Date.UTC(2025, 9, 24)]) {
      for (let ms = start; ms < start + 288 * QUARTER_MS; ms += QUARTER_MS) {
        expect([dayOf(ms - 1), dayOf(ms)]).toEqual([expected(ms - 1), expected(ms)]);
      }
    }
  });
});
