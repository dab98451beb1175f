import { execFileSync } from "node:child_process";
import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type InputFile, type InputsSource, MAX_FILE_BYTES } from "../../lambda/inputs/files.ts";
import { type Inputs, readInputs } from "../../lambda/inputs/inputs.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import type { StoredObject } from "../../lambda/storage/store.ts";
import { temporaryFolder } from "../leftovers.ts";
import { memoryStore } from "../support/memory-store.ts";
import { bytes } from "../support/store-text.ts";

let root: string;

beforeEach(() => {
  root = temporaryFolder();
});

/** One file of each kind, in forms that users write. */
const FILES: Readonly<Record<string, string>> = {
  "accounts.json": '\uFEFF{"par": {"USDT": "USD"}}\n',
  "opening-positions.csv": "\uFEFFmarket,quantity,average_price,as_of,evidence\r\nBTC-USD,1,2,2025-01-01,x\r\n",
  "funding.csv": "amount,currency,time,market,source\n1,USD,2025-01-01,BTC-USD,x\n",
  "transfers.csv": "time,currency,amount,note\n2025-01-01,USD,100,from the bank\n",
  "balances.csv": "time,currency,amount,note\n2025-01-01,USD,0,statement\n",
  "marks.csv": "market,time,price\nBTC-USD,2026-01-01,90000\n",
  "matches.csv": "close_match_id,close_order_id,open_match_id,open_order_id,quantity\nC,c,A,a,1\n",
  "rates/ecb.csv": "Date,USD,\n2025-01-02,1.0321,\n",
  "rates/fx_2025-01.b=1.csv": "whatever it is\0",
};

async function writeTo(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** Writes a file of so many bytes. */
async function write(name: string, size = 1): Promise<void> {
  await writeTo(root, { [name]: "x" });
  await truncate(join(root, name), size);
}

const inFolder = (path = root): InputsSource => ({ kind: "folder", path });
const inStore = (path: string): InputsSource => ({ kind: "store", store: openFolderStore(path), account: "main" });

/** A store with this file of the user; `found`: what reading it gives. */
function storeWith(name: string, found?: StoredObject | null): InputsSource {
  const store = memoryStore();
  store.put(`main/inputs/${name}`, bytes("x"));
  return { kind: "store", store: found === undefined ? store : { ...store, get: async () => found }, account: "main" };
}

async function expectRefused(message: string, more: object = {}, source = inFolder()): Promise<void> {
  await expect(readInputs(source, "UTC")).rejects.toMatchObject({ kind: "usage", message, ...more });
}

/** Turns bytes into arrays, so that a Buffer and a Uint8Array compare as equal. */
function comparable({ files, rates, ...rest }: Inputs) {
  const plain = (file: InputFile) => ({ ...file, bytes: [...file.bytes] });
  return { ...rest, files: files.map(plain), rates: rates.map(plain) };
}

describe("the user's files", () => {
  test("are the same from a folder, a folder store and any other store", async () => {
    await writeTo(join(root, "mine"), FILES);
    await writeTo(join(root, "store", "main", "inputs"), FILES);
    const elsewhere = memoryStore("s3://bucket/fillbook");
    for (const [name, content] of Object.entries(FILES)) {
      elsewhere.put(`main/inputs/${name}`, bytes(content));
    }
    const own = comparable(await readInputs(inFolder(join(root, "mine")), "UTC"));
    expect(own.location).toBe(join(root, "mine"));
    for (const store of [openFolderStore(join(root, "store")), elsewhere]) {
      const read = comparable(await readInputs({ kind: "store", store, account: "main" }, "UTC"));
      expect(read).toEqual({ ...own, location: `${store.location}/main/inputs` });
    }
  });

  test("are kept byte by byte, with the hash that sha256sum prints, sorted by name; and each is read", async () => {
    await writeTo(root, FILES);
    const inputs = await readInputs(inFolder(), "UTC");
    expect(inputs.files.map(({ name }) => name)).toEqual(Object.keys(FILES).sort());
    for (const { name, bytes: kept, sha256 } of inputs.files) {
      expect(Buffer.from(kept).toString()).toBe(FILES[name]);
      expect(execFileSync("sha256sum", [join(root, name)], { encoding: "utf8" }).slice(0, 64)).toBe(sha256);
    }
    expect(inputs.openings.map(({ market }) => market)).toEqual(["BTC-USD"]);
    expect(inputs.funding?.map(({ source }) => source)).toEqual(["x"]);
    expect(inputs.transfers?.map(({ note }) => note)).toEqual(["from the bank"]);
    expect(inputs.balances.map(({ note }) => note)).toEqual(["statement"]);
    expect([...(inputs.designations?.keys() ?? [])]).toEqual(["C\u0000c"]);
    expect(inputs.accounts).toBe('{"par": {"USDT": "USD"}}\n');
    expect(inputs.rates.map(({ name }) => name)).toEqual(["rates/ecb.csv", "rates/fx_2025-01.b=1.csv"]);
  });

  test("may be none", async () => {
    const unread = { accounts: null, funding: null, transfers: null, designations: null };
    const nothing = { ...unread, files: [], openings: [], balances: [], adjustments: [], marks: null, rates: [] };
    await mkdir(join(root, "rates"));
    expect(await readInputs(inFolder(), "UTC")).toEqual({ location: root, ...nothing });
    const store = memoryStore();
    store.put("main/inputs-of-old/funding.csv", bytes("")); // another folder
    store.put("other/inputs/funding.csv", bytes("")); // another account
    const source = { kind: "store", store, account: "main" } as const;
    expect(await readInputs(source, "UTC")).toEqual({ location: "memory/main/inputs", ...nothing });
  });

  test("do not include what a system or a spreadsheet hides there", async () => {
    await writeTo(root, { ".DS_Store": "x", ".~lock.funding.csv#": "x", "rates/.DS_Store": "x", ".git/config": "x" });
    expect((await readInputs(inFolder(), "UTC")).files).toEqual([]);
    await writeTo(join(root, "main", "inputs"), { ".DS_Store": "x", "rates/.DS_Store": "x" });
    expect((await readInputs(inStore(root), "UTC")).files).toEqual([]);
  });
});

const NAMES =
  "the input files are accounts.json, opening-positions.csv, funding.csv, transfers.csv, balances.csv, adjustments.csv, matches.csv, marks.csv and rates/NAME.csv, where NAME has only letters, digits and =._-";

describe("names", () => {
  test.each([
    ...["readme.txt", "Funding.csv", "funding.csv.bak", "ecb.csv", "rates/ecb.zip", "rates/European Central Bank.csv"],
    ...["rates/-.CSV", `rates/${"x".repeat(152)}.csv`, "rates"],
  ])("a file %s is refused, not ignored", async (name) => {
    await write(name);
    await expectRefused(`${root}/${name} is not an input file of a pack`, { hint: NAMES });
  });

  test.each(["Rates/ecb.csv", "rates/2025/ecb.csv"])("so is the folder of %s", async (name) => {
    await write(name);
    await expectRefused(`${dirname(join(root, name))} is a folder, and only files are read`, { hint: NAMES });
  });

  test.each(["my funding.csv", "funding (1).csv", "rates/ecb 2025.csv"])(
    "so is, in a store, a name that the store never gives: %s",
    async (name) => {
      await writeTo(join(root, "main", "inputs"), { "funding.csv": FILES["funding.csv"] ?? "", [name]: "x" });
      await expectRefused(`${root}/main/inputs/${name} is not an input file of a pack`, {}, inStore(root));
    },
  );
});

describe("places", () => {
  test.runIf(process.platform !== "win32").each<[string, string, (path: string) => unknown]>([
    ["marks.csv", "a symbolic link", (path) => symlink(join(root, "mine/marks.csv"), path)],
    ["gone.csv", "a symbolic link", (path) => symlink(join(root, "mine/gone.csv"), path)],
    ["rates", "a symbolic link", (path) => symlink(join(root, "mine/rates"), path)],
    ["rates/ecb.csv", "a symbolic link", (path) => symlink(join(root, "mine/rates/ecb.csv"), path)],
    ["marks.csv", "a named pipe", (path) => execFileSync("mkfifo", [path])],
  ])("in a folder store are refused if %s is %s, not passed over", async (name, what, make) => {
    await writeTo(join(root, "mine"), FILES);
    const inputs = join(root, "store/main/inputs");
    await mkdir(dirname(join(inputs, name)), { recursive: true });
    await make(join(inputs, name));
    const hint = "put the file itself there instead; or give the folder of the files with --inputs";
    const message = `${inputs}/${name} is ${what}, and only files are read`;
    await expectRefused(message, { hint }, inStore(join(root, "store")));
  });

  test("a folder that does not exist, and a file in its place", async () => {
    await write("inputs");
    const path = join(root, "inputs");
    await expectRefused(`cannot read ${path}: ENOTDIR`, {}, inFolder(path));
    await rm(root, { recursive: true });
    const hint = "give the folder of the files with --inputs, and check that this user can read it";
    await expectRefused(`cannot read ${root}: it does not exist`, { hint });
  });

  test("a link to nothing, and a pipe, which would never end", async () => {
    const path = join(root, "funding.csv");
    await symlink(join(root, "gone.csv"), path);
    await expectRefused(`cannot read ${path}: it does not exist`);
    await rm(path);
    execFileSync("mkfifo", [path]);
    await expectRefused(`${path} is not a file`, { hint: NAMES });
  });

  test("an object that is taken away while it is read, and a file that is not text", async () => {
    const message = "memory/main/inputs/funding.csv was removed while it was read";
    await expectRefused(message, { kind: "incomplete", hint: "run again" }, storeWith("funding.csv", null));
    await writeFile(join(root, "accounts.json"), Buffer.from([0x7b, 0xff, 0x7d]));
    const hint = "save it again as UTF-8; spreadsheets call this format “CSV UTF-8”";
    await expectRefused("accounts.json is not text in UTF-8", { hint });
  });
});

describe("sizes", () => {
  const hint = "keep only what the period needs";
  const TOO_LARGE = "a.csv has 64000001 bytes, but an input file can have at most 64 MB";

  test("a file of more than 64 MB, which is not read, and an object that is larger than its listing says", async () => {
    await write("rates/a.csv", MAX_FILE_BYTES + 1);
    await expectRefused(`${root}/rates/${TOO_LARGE}`, { hint });
    const large = { body: new Uint8Array(MAX_FILE_BYTES + 1), tag: "" };
    await expectRefused(`memory/main/inputs/rates/${TOO_LARGE}`, { hint }, storeWith("rates/a.csv", large));
  });

  test("files of more than 256 MB together", async () => {
    for (const name of ["a", "b", "c", "d"]) {
      await write(`rates/${name}.csv`, MAX_FILE_BYTES);
    }
    await write("accounts.json");
    await expectRefused(`the files in ${root} together have more than 256 MB`, { hint });
  });

  test("more than 256 files, in a folder and in the store", async () => {
    const store = memoryStore();
    for (let at = 0; at <= 256; at += 1) {
      await write(`rates/${at}.csv`);
      store.put(`main/inputs/rates/${at}.csv`, bytes("x"));
    }
    await expectRefused(`${root} holds more than 256 files`, { hint: NAMES });
    await expectRefused("memory/main/inputs holds more than 256 files", {}, { kind: "store", store, account: "main" });
    await rm(join(root, "rates", "0.csv"));
    expect((await readInputs(inFolder(), "UTC")).files).toHaveLength(256);
  });
});
