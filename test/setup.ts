import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterAll } from "vitest";
import { leftovers } from "./leftovers.ts";

/**
 * Every run draws the same cases, so that only a change can make a test fail. For other draws:
 * FILLBOOK_SEED=7 npm test
 */
const DEFAULT_SEED = 20_251_121;

fc.configureGlobal({ seed: Number(process.env["FILLBOOK_SEED"] ?? DEFAULT_SEED) });

afterAll(() => {
  for (const folder of leftovers.splice(0)) {
    rmSync(folder, { recursive: true, force: true });
  }
});
