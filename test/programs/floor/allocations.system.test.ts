import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/**
 * With these flags, V8 collects garbage only on request and compiles code synchronously, so the counts are
 * the same each time.
 */
const FLAGS = [
  "--expose-gc",
  "--min-semi-space-size=128",
  "--max-semi-space-size=128",
  "--no-concurrent-recompilation",
] as const;

test("the stages of a sync allocate bounded bytes per fill on V8's heap", async () => {
  const { stdout } = await run(process.execPath, [...FLAGS, join(import.meta.dirname, "allocations.ts")]);
  const bytes: unknown = JSON.parse(stdout);
  // 425, 296 and 429 were measured. A page that is read as any other JSON, with a string for each field,
  // takes 2,031.
  expect(bytes).toEqual({
    anyJson: expect.toSatisfy((one: number) => one > 1000),
    page: expect.toSatisfy((one: number) => one > 0 && one <= 520),
    merge: expect.toSatisfy((one: number) => one > 0 && one <= 350),
    dataFile: expect.toSatisfy((one: number) => one > 0 && one <= 530),
  });
});
