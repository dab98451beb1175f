import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import { type InputsSource, MAX_FILE_BYTES } from "../../lambda/inputs/files.ts";
import { checkMethod, readInputs } from "../../lambda/inputs/inputs.ts";
import { memoryStore } from "../support/memory-store.ts";
import { bytes } from "../support/store-text.ts";

// User files that cannot be accepted: the message, the kind of error, and what to do. The contents of a file
// are tested in test/inputs/.

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fillbook-inputs-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function write(name: string, content = "x"): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

async function refused(source: InputsSource = { kind: "folder", path: folder }): Promise<FillbookError> {
  const problem = await readInputs(source, "UTC").then(
    () => null,
    (error: unknown) => error,
  );
  if (problem instanceof FillbookError) {
    return problem;
  }
  throw new Error(`not refused: ${problem}`);
}

const NAMES =
  "the input files are accounts.json, opening-positions.csv, funding.csv, transfers.csv, balances.csv, adjustments.csv, matches.csv, marks.csv and rates/NAME.csv, where NAME has only letters, digits and =._-";

describe("names", () => {
  test.each([
    "readme.txt",
    "Funding.csv",
    "funding.csv.bak",
    "ecb.csv",
    "rates/ecb.zip",
    "rates/European Central Bank.csv",
    "rates/-.CSV",
    `rates/${"x".repeat(152)}.csv`,
    "rates",
  ])("a file %s is refused, not ignored", async (name) => {
    await write(name);
    expect(await refused()).toMatchObject({
      kind: "usage",
      message: `${folder}/${name} is not an input file of a pack`,
      hint: NAMES,
    });
  });

  test("so is an unexpected file in the store", async () => {
    const store = memoryStore("s3://bucket/fillbook");
    store.put("main/inputs/2025/funding.csv", bytes("x"));
    expect(await refused({ kind: "store", store, account: "main" })).toMatchObject({
      kind: "usage",
      message: "s3://bucket/fillbook/main/inputs/2025/funding.csv is not an input file of a pack",
      hint: NAMES,
    });
  });

  test.each(["Rates/ecb.csv", "rates/2025/ecb.csv"])("so is the folder of %s", async (name) => {
    await write(name);
    expect(await refused()).toMatchObject({
      kind: "usage",
      message: `${dirname(join(folder, name))} is a folder, and only files are read`,
      hint: NAMES,
    });
  });
});

describe("places", () => {
  test("a folder that does not exist", async () => {
    const path = join(folder, "nowhere");
    expect(await refused({ kind: "folder", path })).toMatchObject({
      kind: "usage",
      message: `cannot read ${path}: it does not exist`,
      hint: "give the folder of the files with --inputs, and check that this user can read it",
    });
  });

  test("a file in the folder's place", async () => {
    const path = await write("inputs");
    expect(await refused({ kind: "folder", path })).toMatchObject({
      kind: "usage",
      message: `cannot read ${path}: ENOTDIR`,
    });
  });

  test("a link to nothing", async () => {
    const path = join(folder, "funding.csv");
    await symlink(join(folder, "gone.csv"), path);
    expect(await refused()).toMatchObject({ kind: "usage", message: `cannot read ${path}: it does not exist` });
  });

  test("a pipe, which would never end", async () => {
    execFileSync("mkfifo", [join(folder, "funding.csv")]);
    expect(await refused()).toMatchObject({ message: `${folder}/funding.csv is not a file`, hint: NAMES });
  });

  test("an object that is taken away while it is read", async () => {
    const store = memoryStore();
    store.put("main/inputs/funding.csv", bytes("x"));
    const source = { kind: "store", store: { ...store, get: () => Promise.resolve(null) }, account: "main" } as const;
    expect(await refused(source)).toMatchObject({
      kind: "incomplete",
      message: "memory/main/inputs/funding.csv was removed while it was read",
      hint: "run again",
    });
  });
});

describe("sizes", () => {
  const hint = "keep only what the period needs";

  test("a file of more than 64 MB, which is not read", async () => {
    await truncate(await write("rates/a.csv"), MAX_FILE_BYTES + 1);
    expect(await refused()).toMatchObject({
      kind: "usage",
      message: `${folder}/rates/a.csv has 64000001 bytes, but an input file can have at most 64 MB`,
      hint,
    });
  });

  test("files of more than 256 MB together", async () => {
    for (const name of ["a", "b", "c", "d"]) {
      await truncate(await write(`rates/${name}.csv`), MAX_FILE_BYTES);
    }
    await write("accounts.json");
    expect(await refused()).toMatchObject({ message: `the files in ${folder} together have more than 256 MB`, hint });
  });

  test("an object that is larger than the store's listing says", async () => {
    const store = memoryStore();
    store.put("main/inputs/rates/a.csv", bytes("x"));
    const large = { body: new Uint8Array(MAX_FILE_BYTES + 1), tag: "" };
    const source = { kind: "store", store: { ...store, get: () => Promise.resolve(large) }, account: "main" } as const;
    expect(await refused(source)).toMatchObject({
      message: "memory/main/inputs/rates/a.csv has 64000001 bytes, but an input file can have at most 64 MB",
    });
  });

  test("more than 256 files, in a folder and in the store", async () => {
    const store = memoryStore();
    for (let at = 0; at <= 256; at += 1) {
      await write(`rates/${at}.csv`);
      store.put(`main/inputs/rates/${at}.csv`, bytes("x"));
    }
    expect(await refused()).toMatchObject({ message: `${folder} holds more than 256 files`, hint: NAMES });
    expect(await refused({ kind: "store", store, account: "main" })).toMatchObject({
      message: "memory/main/inputs holds more than 256 files",
    });
    await rm(join(folder, "rates", "0.csv"));
    expect((await readInputs({ kind: "folder", path: folder }, "UTC")).files).toHaveLength(256);
  });
});

describe("the method and its file", () => {
  test("specific without matches.csv", () => {
    expect(() => checkMethod({ location: "./mine", designations: null }, "specific")).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: "the method specific needs matches.csv, but there is none in ./mine",
        hint: "put it there; fillbook export --help lists its columns",
      }),
    );
  });

  test("matches.csv without specific", () => {
    expect(() => checkMethod({ location: "./mine", designations: new Map() }, "fifo")).toThrow(
      expect.objectContaining({
        kind: "usage",
        message: "./mine holds matches.csv, which the method fifo does not use",
        hint: "choose --method specific, or remove the file",
      }),
    );
  });
});

test("a file that is not text is named", async () => {
  await writeFile(join(folder, "accounts.json"), Buffer.from([0x7b, 0xff, 0x7d]));
  expect(await refused()).toMatchObject({
    kind: "usage",
    message: "accounts.json is not text in UTF-8",
    hint: "save it again as UTF-8; spreadsheets call this format “CSV UTF-8”",
  });
});
