import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SLICE_SECONDS } from "../../infra/deploy/cost.ts";
import { PACK_MICROSECONDS } from "../../lambda/job/pack-time.ts";
import { readResults, sizesOf } from "./bench/results.ts";

// What docs/sizing.md says of the largest pack that the function makes follows from what `npm run bench -- --write` measured, and changes with it.

const PAPER = readFileSync(join(import.meta.dirname, "../../docs/sizing.md"), "utf8");

/** µs a fill of whole packs, as fillbook runs, by their size: the slower of processor and clock, of the slowest run. */
function microsecondsAFill(fills: number): number {
  const runs = readResults().samples.filter((one) => one.name === "pack" && one.fills === fills && !one.limited);
  return Math.max(...runs.map(({ result }) => Math.max(result.cpuSeconds, result.wallSeconds))) * (1e6 / fills);
}

/** Whole millions that a slice has the time for. */
const millionsAt = (microseconds: number) => Math.floor(SLICE_SECONDS / microseconds);

test("the largest pack that the function makes is that of the slowest figure that was measured, and at the largest size", () => {
  const sizes = sizesOf(readResults(), "pack");
  const slowest = Math.max(...sizes.map(microsecondsAFill));
  const [largest = 0] = sizes.toReversed();
  const atLargest = microsecondsAFill(largest);
  const hours = ((100 * atLargest) / 3600).toFixed(1);
  expect(PAPER).toContain(
    `up to ${millionsAt(slowest)} million fills (${SLICE_SECONDS} s at ${Math.round(slowest)} µs a fill, the slowest pack that was measured; ${millionsAt(atLargest)} million at the ${Math.round(atLargest)} µs of one of ${largest.toLocaleString("en")} fills)`,
  );
  // What the function reckons with before it begins a pack.
  expect(PACK_MICROSECONDS.period).toBe(Math.ceil(slowest));
  expect(PAPER).toContain(`A year of 100 million takes ${hours} hours`);
});
