import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freshFolder } from "./out-folder.ts";

let place: string;
let folder: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "fillbook-demo-"));
  folder = join(place, "demo-out");
});

afterEach(() => rmSync(place, { recursive: true }));

const yes = () => Promise.resolve(true);
const no = () => Promise.resolve(false);

describe("the demo's folder", () => {
  test("is created, and the next run deletes it without a question", async () => {
    await freshFolder(folder, null);
    writeFileSync(join(folder, "fills.csv"), "old");
    await freshFolder(folder, null);
    expect(readdirSync(folder)).toEqual(["made-by-the-demo.txt"]);
  });

  test.each([
    ["nobody can be asked", null],
    ["the answer is no", no],
  ])("is kept if the demo did not make it and %s", async (_, ask) => {
    mkdirSync(folder);
    writeFileSync(join(folder, "my-archive"), "precious");
    await expect(freshFolder(folder, ask)).rejects.toThrow("the demo did not make it: nothing was deleted");
    expect(readdirSync(folder)).toEqual(["my-archive"]);
  });

  test("is deleted if the answer is yes", async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, "my-archive"), "old");
    await freshFolder(folder, yes);
    expect(readdirSync(folder)).toEqual(["made-by-the-demo.txt"]);
  });

  test("is not deleted through a link", async () => {
    const own = join(place, "elsewhere");
    await freshFolder(own, null);
    symlinkSync(own, folder);
    await expect(freshFolder(folder, null)).rejects.toThrow("the demo did not make it");
    expect(existsSync(join(own, "made-by-the-demo.txt"))).toBe(true);
  });
});
