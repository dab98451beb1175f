import { expect, test } from "vitest";
import { systemAfter } from "../../lambda/core/clock.ts";

test("what is cancelled is not called, and what is not is called once", async () => {
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
