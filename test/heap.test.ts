import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const MODULE = join(import.meta.dirname, "../lambda/heap.ts");

/** Millions of short texts are made and dropped, the newest kept, the loop turning now and then; then it says what V8 had allocated at most for new ones: bytes. */
const SCRIPT = `
const { getHeapSpaceStatistics } = await import("node:v8");
const { setImmediate } = await import("node:timers/promises");
const heap = await import(process.argv[1]);
const work = async () => {
  const kept = [];
  let fresh = 0;
  for (let at = 0; at < 4_000_000; at += 1) {
    kept[at % 100_000] = { text: String(at) + "abcdefghijklmnop" };
    if (at % 10_000 === 0) {
      await setImmediate();
      fresh = Math.max(fresh, getHeapSpaceStatistics().find((one) => one.space_name === "new_space").space_size);
    }
  }
  return fresh;
};
const how = {
  bounded: heap.boundingNewSpace,
  "as usual": (some) => some(),
  after: (some) => heap.boundingNewSpace(async () => 0).then(some),
};
console.log(JSON.stringify(await how[process.argv[2]](work)));
`;

function heapOf(how: "bounded" | "as usual" | "after"): number {
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", SCRIPT, MODULE, how], { encoding: "utf8" });
  expect(run.stderr).toBe(""); // where V8 says that it does not know a flag
  return JSON.parse(run.stdout);
}

test("V8 knows the flag, and its space for new objects stays small", () => {
  expect(heapOf("bounded")).toBeLessThan(heapOf("as usual") / 2);
});

test("V8 is itself again afterwards", () => {
  expect(heapOf("after")).toBeGreaterThan(2 * heapOf("bounded"));
});

test("what is set afterwards is V8's own value", () => {
  const { stdout } = spawnSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  expect(stdout).toContain("default: --semi-space-growth-factor=2\n");
});
