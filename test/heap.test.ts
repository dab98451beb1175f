import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const MODULE = join(import.meta.dirname, "../lambda/heap.ts");

/** Millions of short texts are made and dropped, the newest kept, the loop turning now and then; then it says what V8 had allocated at most for old ones and for new ones: bytes. */
const SCRIPT = `
const { getHeapSpaceStatistics } = await import("node:v8");
const { setImmediate } = await import("node:timers/promises");
const heap = await import(process.argv[1]);
const work = async () => {
  const kept = [];
  let [old, fresh] = [0, 0];
  const sizeOf = (space) => getHeapSpaceStatistics().find((one) => one.space_name === space).space_size;
  for (let at = 0; at < 4_000_000; at += 1) {
    kept[at % 100_000] = { text: String(at) + "abcdefghijklmnop" };
    if (at % 10_000 === 0) {
      await setImmediate();
      old = Math.max(old, sizeOf("old_space"));
      fresh = Math.max(fresh, sizeOf("new_space"));
    }
  }
  return { old, fresh };
};
const how = {
  sooner: heap.collectingSooner,
  bounded: heap.boundingNewSpace,
  "as usual": (some) => some(),
  after: (some) => heap.collectingSooner(async () => 0).then(some),
};
console.log(JSON.stringify(await how[process.argv[2]](work)));
`;

function heapOf(how: "sooner" | "bounded" | "as usual" | "after"): { readonly old: number; readonly fresh: number } {
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", SCRIPT, MODULE, how], { encoding: "utf8" });
  expect(run.stderr).toBe(""); // where V8 says that it does not know a flag
  return JSON.parse(run.stdout);
}

test("V8 knows the flags, and its space for new objects stays small", () => {
  expect(heapOf("bounded").fresh).toBeLessThan(heapOf("as usual").fresh / 2);
});

test("a walk has what died old collected sooner", () => {
  const [bounded, sooner] = [heapOf("bounded"), heapOf("sooner")];
  expect(sooner.old).toBeLessThan(0.7 * bounded.old);
  expect(sooner.fresh).toBeLessThan(1.5 * bounded.fresh);
  const usual = heapOf("as usual");
  expect(sooner.old + sooner.fresh).toBeLessThan(0.7 * (usual.old + usual.fresh));
});

test("V8 is itself again afterwards", () => {
  expect(heapOf("after").fresh).toBeGreaterThan(2 * heapOf("bounded").fresh);
});

test("what is set afterwards are V8's own values", () => {
  const { stdout } = spawnSync(process.execPath, ["--v8-options"], { encoding: "utf8" });
  expect(stdout).toContain("default: --heap-growing-percent=0\n");
  expect(stdout).toContain("default: --semi-space-growth-factor=2\n");
});
