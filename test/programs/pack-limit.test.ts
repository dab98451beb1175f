import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SLICE_SECONDS } from "../../infra/deploy/cost.ts";
import { PACK_MICROSECONDS } from "../../lambda/job/pack-time.ts";
import { readResults, sizesOf } from "./bench/results.ts";

// docs/sizing.md names the largest pack that the function makes. The number must follow from the results of
// `npm run bench -- --write`.

const PAPER = readFileSync(join(import.meta.dirname, "../../docs/sizing.md"), "utf8");

/**
 * µs per fill of whole packs of that size, as fillbook runs: the larger of CPU and wall-clock time, of the
 * slowest run.
 */
function microsecondsAFill(fills: number): number {
  const runs = readResults().samples.filter((one) => one.name === "pack" && one.fills === fills && !one.limited);
  return Math.max(...runs.map(({ result }) => Math.max(result.cpuSeconds, result.wallSeconds))) * (1e6 / fills);
}

/** Whole millions of fills that fit into a slice. */
const millionsAt = (microseconds: number) => Math.floor(SLICE_SECONDS / microseconds);

test("the function's largest pack follows from the slowest measured figure, and from that of the largest size", () => {
  const sizes = sizesOf(readResults(), "pack");
  const slowest = Math.max(...sizes.map(microsecondsAFill));
  const [largest = 0] = sizes.toReversed();
  const atLargest = microsecondsAFill(largest);
  const hours = ((100 * atLargest) / 3600).toFixed(1);
  expect(PAPER).toContain(
    `up to ${millionsAt(slowest)} million fills (${SLICE_SECONDS} s at ${Math.round(slowest)} µs a fill, the slowest pack that was measured; ${millionsAt(atLargest)} million at the ${Math.round(atLargest)} µs of one of ${largest.toLocaleString("en")} fills)`,
  );
  // The time per fill by which the function decides before it begins a pack.
  expect(PACK_MICROSECONDS.period).toBe(Math.ceil(slowest));
  expect(PAPER).toContain(`A year of 100 million takes ${hours} hours`);
});
