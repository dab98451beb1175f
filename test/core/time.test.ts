import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import { systemAfter } from "../../lambda/core/clock.ts";
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
