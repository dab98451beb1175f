import { expect, test } from "vitest";
import { systemAfter } from "../../lambda/core/clock.ts";

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
