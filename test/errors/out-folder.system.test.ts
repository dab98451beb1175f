import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectTold, openWorld, type World } from "./world.ts";

// A folder for --out that cannot get the pack, on the real command line.

let world: World;
let root = "";

beforeEach(async () => {
  world = await openWorld();
  root = await mkdtemp(join(tmpdir(), "fillbook-out-"));
});

afterEach(async () => {
  await world.close();
  await rm(root, { recursive: true, force: true });
});

const EXPORT = ["export", "--period", "month-2025-02"] as const;
const EMPTY = "give another folder with --out, a new or an empty one";

describe("what can be seen before is refused before the first request, and nothing is written", () => {
  test.each<[string, (out: string) => Promise<unknown>, (out: string) => string, string]>([
    ["a file", (out) => writeFile(out, "mine"), (out) => `--out ${out} is not a folder`, ""],
    ["below a file", (out) => writeFile(out, "mine"), (out) => `cannot write ${out}/pack`, "/pack"],
    [
      "a folder of other files",
      async (out) => {
        await mkdir(out);
        await writeFile(join(out, "letter.txt"), "mine");
      },
      (out) => `--out ${out} has files that are not of a pack`,
      "",
    ],
  ])("%s", async (_, make, says, below) => {
    const out = join(root, "out");
    await make(out);
    const ran = await world.type([...EXPORT, "--out", out + below]);
    expectTold(ran, { kind: "usage", says: [says(out)], hint: EMPTY });
    expect(ran.stderr).not.toContain("--store");
    expect(world.service.emulator.log.requests).toBe(0);
    await expect(readdir(world.path)).rejects.toThrow("ENOENT");
  });

  test("a folder that may not be written", async ({ skip }) => {
    if (process.getuid?.() === 0) {
      skip("the superuser may write everywhere");
    }
    await chmod(root, 0o500);
    const ran = await world.type([...EXPORT, "--out", join(root, "out")]);
    await chmod(root, 0o700);
    expectTold(ran, { kind: "usage", says: [`cannot write ${root}: not allowed`], hint: EMPTY });
    expect(world.service.emulator.log.requests).toBe(0);
  });
});

test("a folder with another pack keeps it, and the message says where the new pack is", async () => {
  const out = join(root, "out");
  expect(await world.type([...EXPORT, "--out", out])).toMatchObject({ code: 0 });
  const before = await readFile(join(out, "fills.csv"));
  const ran = await world.type(["export", "--period", "month-2025-03", "--out", out]);
  const stderr = ran.stderr.replace(/^fillbook export: warning: .*\n/gm, "");
  const shown = expectTold(
    { ...ran, stderr },
    {
      kind: "usage",
      says: [/fills\.csv already exists with other content; the pack is in \S+; only the copy to \S+ was not made/],
      hint: EMPTY,
    },
  );
  expect(shown["dir"]).toMatch(new RegExp(`^${world.path}/main/packs/month-2025-03/[0-9a-f]{16}$`));
  expect(await readdir(String(shown["dir"]))).toContain("SHA256SUMS");
  expect(ran.stderr).toContain(`the pack is in ${shown["dir"]}; only the copy to ${out} was not made`);
  expect(await readFile(join(out, "fills.csv"))).toEqual(before);
  // The same pack again completes a copy that was cut short.
  await rm(join(out, "summary.csv"));
  expect(await world.type([...EXPORT, "--out", out])).toMatchObject({ code: 0 });
  expect(await readdir(out)).toContain("summary.csv");
});
