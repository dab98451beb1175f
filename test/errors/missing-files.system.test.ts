import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectTold, openWorld, type World } from "./world.ts";

// Files that somebody deleted or broke in a store's folder. The message names the file and what to do; exit
// 5.

let world: World;

beforeEach(async () => {
  world = await openWorld();
  expect(await world.type(["sync", "--from", "2025-01-01", "--to", "2025-02-15"])).toMatchObject({ code: 0 });
});

afterEach(() => world.close());
const EXPORT = ["export", "--period", "month-2025-01"];

describe("latest.json of a pack", () => {
  const folder = () => join(world.path, "main/packs/month-2025-01");
  const latest = () => join(folder(), "latest.json");

  beforeEach(async () => {
    expect(await world.type(EXPORT)).toMatchObject({ code: 0 });
  });

  test.each([
    ["cut off", '{"format":'],
    ["empty", ""],
    ["another's", "{}"],
    ["with a name that is not a key", `{"sums": {"path": "../..//SHA256SUMS",\n "sha256": "${"0".repeat(64)}"}}`],
  ])("%s: verify reports it, and an export writes it again", async (_, text) => {
    await writeFile(latest(), text);
    const shown = expectTold(await world.type(["verify"]), {
      kind: "untrusted",
      says: [],
      hint: "restore the named files",
    });
    expect(shown["findings"]).toContainEqual(expect.stringContaining(latest()));
    expect(await world.type(EXPORT)).toMatchObject({ code: 0 });
    expect(await world.type(["verify"])).toMatchObject({ code: 0 });
  });
});
