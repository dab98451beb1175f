import { rmSync } from "node:fs";
import { Decimal } from "decimal.js";
import fc from "fast-check";
import { afterAll, expect } from "vitest";
import { leftovers } from "./leftovers.ts";

/**
 * Every run draws the same cases, so that only a change can make a test fail. For others, and for more of
 * each property: FILLBOOK_SEED=7 FILLBOOK_RUNS=300 npm test
 */
fc.configureGlobal({
  seed: Number(process.env["FILLBOOK_SEED"] ?? 20_251_121),
  numRuns: Number(process.env["FILLBOOK_RUNS"] ?? 15),
});

/** Amounts are equal by value, wherever they stand in what is compared. */
expect.addEqualityTesters([(a, b) => (Decimal.isDecimal(a) && Decimal.isDecimal(b) ? a.equals(b) : undefined)]);

afterAll(() => {
  for (const folder of leftovers.splice(0)) {
    rmSync(folder, { recursive: true, force: true });
  }
});
