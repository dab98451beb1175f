import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type InputsSource, MAX_FILE_BYTES } from "../../lambda/inputs/files.ts";
import { readInputs } from "../../lambda/inputs/inputs.ts";
import type { StoredObject } from "../../lambda/storage/store.ts";
import { temporaryFolder } from "../leftovers.ts";
import { memoryStore } from "../support/memory-store.ts";
import { bytes } from "../support/store-text.ts";

// User files that cannot be accepted: the message, the kind of error, and what to do. The contents of a file
// are tested in test/inputs/.

let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

async function write(name: string, size = 1): Promise<void> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "x");
  await truncate(path, size);
}

async function expectRefused(message: string, more: object = {}, source?: InputsSource): Promise<void> {
  const reading = readInputs(source ?? { kind: "folder", path: folder }, "UTC");
  await expect(reading).rejects.toMatchObject({ kind: "usage", message, ...more });
}

/** A store with this file of the user; `found`: what reading it gives. */
function storeWith(name: string, found?: StoredObject | null): InputsSource {
  const store = memoryStore();
  store.put(`main/inputs/${name}`, bytes("x"));
  return { kind: "store", store: found === undefined ? store : { ...store, get: async () => found }, account: "main" };
}

const NAMES =
  "the input files are accounts.json, opening-positions.csv, funding.csv, transfers.csv, balances.csv, adjustments.csv, matches.csv, marks.csv and rates/NAME.csv, where NAME has only letters, digits and =._-";

describe("names", () => {
  test.each([
    ...["readme.txt", "Funding.csv", "funding.csv.bak", "ecb.csv", "rates/ecb.zip", "rates/European Central Bank.csv"],
    ...["rates/-.CSV", `rates/${"x".repeat(152)}.csv`, "rates"],
  ])("a file %s is refused, not ignored", async (name) => {
    await write(name);
    await expectRefused(`${folder}/${name} is not an input file of a pack`, { hint: NAMES });
  });

  test.each(["Rates/ecb.csv", "rates/2025/ecb.csv"])("so is the folder of %s", async (name) => {
    await write(name);
    await expectRefused(`${dirname(join(folder, name))} is a folder, and only files are read`, { hint: NAMES });
  });
});

describe("places", () => {
  test("a folder that does not exist", async () => {
    await rm(folder, { recursive: true });
    const hint = "give the folder of the files with --inputs, and check that this user can read it";
    await expectRefused(`cannot read ${folder}: it does not exist`, { hint });
  });

  test("a file in the folder's place", async () => {
    await write("inputs");
    const path = join(folder, "inputs");
    await expectRefused(`cannot read ${path}: ENOTDIR`, {}, { kind: "folder", path });
  });

  test("a link to nothing, and a pipe, which would never end", async () => {
    const path = join(folder, "funding.csv");
    await symlink(join(folder, "gone.csv"), path);
    await expectRefused(`cannot read ${path}: it does not exist`);
    await rm(path);
    execFileSync("mkfifo", [path]);
    await expectRefused(`${path} is not a file`, { hint: NAMES });
  });

  test("an object that is taken away while it is read", async () => {
    const message = "memory/main/inputs/funding.csv was removed while it was read";
    await expectRefused(message, { kind: "incomplete", hint: "run again" }, storeWith("funding.csv", null));
  });

  test("a file that is not text", async () => {
    await writeFile(join(folder, "accounts.json"), Buffer.from([0x7b, 0xff, 0x7d]));
    const hint = "save it again as UTF-8; spreadsheets call this format “CSV UTF-8”";
    await expectRefused("accounts.json is not text in UTF-8", { hint });
  });
});

describe("sizes", () => {
  const hint = "keep only what the period needs";
  const TOO_LARGE = "a.csv has 64000001 bytes, but an input file can have at most 64 MB";

  test("a file of more than 64 MB, which is not read, and an object that is larger than its listing says", async () => {
    await write("rates/a.csv", MAX_FILE_BYTES + 1);
    await expectRefused(`${folder}/rates/${TOO_LARGE}`, { hint });
    const large = { body: new Uint8Array(MAX_FILE_BYTES + 1), tag: "" };
    await expectRefused(`memory/main/inputs/rates/${TOO_LARGE}`, { hint }, storeWith("rates/a.csv", large));
  });

  test("files of more than 256 MB together", async () => {
    for (const name of ["a", "b", "c", "d"]) {
      await write(`rates/${name}.csv`, MAX_FILE_BYTES);
    }
    await write("accounts.json");
    await expectRefused(`the files in ${folder} together have more than 256 MB`, { hint });
  });

  test("more than 256 files, in a folder and in the store", async () => {
    const store = memoryStore();
    for (let at = 0; at <= 256; at += 1) {
      await write(`rates/${at}.csv`);
      store.put(`main/inputs/rates/${at}.csv`, bytes("x"));
    }
    await expectRefused(`${folder} holds more than 256 files`, { hint: NAMES });
    await expectRefused("memory/main/inputs holds more than 256 files", {}, { kind: "store", store, account: "main" });
    await rm(join(folder, "rates", "0.csv"));
    expect((await readInputs({ kind: "folder", path: folder }, "UTC")).files).toHaveLength(256);
  });
});
