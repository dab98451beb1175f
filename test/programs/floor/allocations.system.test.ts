import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/**
 * Nothing is collected but when it is asked for, and code is compiled in step with what runs: so the counts
 * are the same each time.
 */
const FLAGS = [
  "--expose-gc",
  "--min-semi-space-size=128",
  "--max-semi-space-size=128",
  "--no-concurrent-recompilation",
] as const;

test("what the stages of a sync ask of V8's heap, bytes a fill", async () => {
  const { stdout } = await run(process.execPath, [...FLAGS, join(import.meta.dirname, "allocations.ts")]);
  const bytes: unknown = JSON.parse(stdout);
  // 425, 296 and 429 were measured. Read as any JSON, with a text for each field, a page takes 2,031.
  expect(bytes).toEqual({
    anyJson: expect.toSatisfy((one: number) => one > 1000),
    page: expect.toSatisfy((one: number) => one > 0 && one <= 520),
    merge: expect.toSatisfy((one: number) => one > 0 && one <= 350),
    dataFile: expect.toSatisfy((one: number) => one > 0 && one <= 530),
  });
});
