import { test } from "vitest";
import { singles, TEST_TIMEOUT_MS } from "./enumerate.ts";
import { memoryPlace } from "./place.ts";
import { exportRun } from "./subject.ts";

test(
  "an export that is disturbed at any operation leaves the old pack or the new one, and the next ends with the same bytes",
  async () => {
    await singles(memoryPlace(), await exportRun(), Number.POSITIVE_INFINITY);
  },
  TEST_TIMEOUT_MS,
);
