import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const MODULE = join(import.meta.dirname, "../lambda/heap.ts");

/** Millions of short texts are made and dropped, the newest kept; then it says what V8 has allocated, bytes. */
const SCRIPT = `
const { collectingSooner } = await import(process.argv[1]);
const work = async () => {
  const kept = [];
  for (let at = 0; at < 4_000_000; at += 1) kept[at % 100_000] = { text: String(at) + "abcdefghijklmnop" };
  return process.memoryUsage().heapTotal;
};
const how = { sooner: collectingSooner, "as usual": (some) => some(), after: (some) => collectingSooner(async () => 0).then(some) };
console.log(await how[process.argv[2]](work));
`;

function heapOf(how: "sooner" | "as usual" | "after"): number {
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", SCRIPT, MODULE, how], { encoding: "utf8" });
  expect(run.stderr).toBe(""); // where V8 says that it does not know a flag
  return Number(run.stdout);
}

test("V8 knows the flags, holds less with them, and is itself again afterwards", () => {
  expect(heapOf("sooner")).toBeLessThan(heapOf("as usual") / 2);
  expect(heapOf("after")).toBeGreaterThan(heapOf("sooner") * 2);
});

test("what is set afterwards are V8's own values", () => {
  const { stdout } = spawnSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  expect(stdout).toContain("default: --heap-growing-percent=0\n");
  expect(stdout).toContain("default: --semi-space-growth-factor=2\n");
});
