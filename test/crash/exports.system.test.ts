import { test } from "vitest";
import { singles, TEST_TIMEOUT_MS } from "./enumerate.ts";
import { memoryPlace } from "./place.ts";
import { exportApart, exportRun } from "./subject.ts";

test(
  "an export, disturbed at any operation, leaves the old pack or the new one, and the next ends in the same bytes",
  async () => {
    await singles(memoryPlace(), await exportRun(), Number.POSITIVE_INFINITY);
  },
  TEST_TIMEOUT_MS,
);

test(
  "an export whose packs go to a store of their own, disturbed at any kind of operation on either, leaves the old pack or the new one",
  async () => {
    await singles(memoryPlace(), await exportApart(), 2);
  },
  TEST_TIMEOUT_MS,
);
