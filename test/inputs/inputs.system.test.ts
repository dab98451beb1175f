import { execFileSync } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { InputFile } from "../../lambda/inputs/files.ts";
import { type Inputs, readInputs } from "../../lambda/inputs/inputs.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
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

/** Turns bytes into arrays, so that a Buffer and a Uint8Array compare as equal. */
function comparable({ files, rates, ...rest }: Inputs) {
  const plain = (file: InputFile) => ({ ...file, bytes: [...file.bytes] });
  return { ...rest, files: files.map(plain), rates: rates.map(plain) };
}

describe("the user's files", () => {
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
    const store = openFolderStore(join(root, "store"));
    await expect(readInputs({ kind: "store", store, account: "main" }, "UTC")).rejects.toMatchObject({
      kind: "usage",
      message: `${inputs}/${name} is ${what}, and only files are read`,
      hint: "put the file itself there instead; or give the folder of the files with --inputs",
    });
  });

  test("is the same from a folder, a folder store and any other store", async () => {
    await writeTo(join(root, "mine"), FILES);
    await writeTo(join(root, "store", "main", "inputs"), FILES);
    const elsewhere = memoryStore("s3://bucket/fillbook");
    for (const [name, content] of Object.entries(FILES)) {
      elsewhere.put(`main/inputs/${name}`, bytes(content));
    }
    const stores = [openFolderStore(join(root, "store")), elsewhere];
    const own = comparable(await readInputs({ kind: "folder", path: join(root, "mine") }, "UTC"));
    expect(own.location).toBe(join(root, "mine"));
    for (const store of stores) {
      const read = comparable(await readInputs({ kind: "store", store, account: "main" }, "UTC"));
      expect(read).toEqual({ ...own, location: `${store.location}/main/inputs` });
    }
  });

  test("is kept byte by byte, with the hash that sha256sum prints, sorted by name", async () => {
    await writeTo(root, FILES);
    const { files } = await readInputs({ kind: "folder", path: root }, "UTC");
    expect(files.map(({ name }) => name)).toEqual(Object.keys(FILES).sort());
    for (const { name, bytes: kept, sha256 } of files) {
      expect(Buffer.from(kept).toString()).toBe(FILES[name]);
      expect(execFileSync("sha256sum", [join(root, name)], { encoding: "utf8" }).slice(0, 64)).toBe(sha256);
    }
  });

  test("is read: positions, funding, transfers, balances, matches; accounts as text; rates left as they are", async () => {
    await writeTo(root, FILES);
    const inputs = await readInputs({ kind: "folder", path: root }, "UTC");
    expect(inputs.openings.map(({ market }) => market)).toEqual(["BTC-USD"]);
    expect(inputs.funding?.map(({ source }) => source)).toEqual(["x"]);
    expect(inputs.transfers?.map(({ note }) => note)).toEqual(["from the bank"]);
    expect(inputs.balances.map(({ note }) => note)).toEqual(["statement"]);
    expect([...(inputs.designations?.keys() ?? [])]).toEqual(["C\u0000c"]);
    expect(inputs.accounts).toBe('{"par": {"USDT": "USD"}}\n');
    expect(inputs.rates.map(({ name }) => name)).toEqual(["rates/ecb.csv", "rates/fx_2025-01.b=1.csv"]);
  });

  test("may be empty", async () => {
    const unread = { accounts: null, funding: null, transfers: null, designations: null };
    const nothing = { ...unread, files: [], openings: [], balances: [], adjustments: [], marks: null, rates: [] };
    await mkdir(join(root, "rates"));
    expect(await readInputs({ kind: "folder", path: root }, "UTC")).toEqual({ location: root, ...nothing });
    const store = memoryStore();
    store.put("main/inputs-of-old/funding.csv", bytes("")); // another folder
    store.put("other/inputs/funding.csv", bytes("")); // another account
    const source = { kind: "store", store, account: "main" } as const;
    expect(await readInputs(source, "UTC")).toEqual({ location: "memory/main/inputs", ...nothing });
  });

  test("does not include files that a system or a spreadsheet hides there", async () => {
    await writeTo(root, { ".DS_Store": "x", ".~lock.funding.csv#": "x", "rates/.DS_Store": "x", ".git/config": "x" });
    expect((await readInputs({ kind: "folder", path: root }, "UTC")).files).toEqual([]);
    await writeTo(join(root, "main", "inputs"), { ".DS_Store": "x", "rates/.DS_Store": "x" });
    const source = { kind: "store", store: openFolderStore(root), account: "main" } as const;
    expect((await readInputs(source, "UTC")).files).toEqual([]);
  });

  test.each(["my funding.csv", "funding (1).csv", "rates/ecb 2025.csv"])(
    "is refused in a store under a name that the store never gives: %s",
    async (name) => {
      await writeTo(join(root, "main", "inputs"), { "funding.csv": FILES["funding.csv"] ?? "", [name]: "x" });
      const source = { kind: "store", store: openFolderStore(root), account: "main" } as const;
      await expect(readInputs(source, "UTC")).rejects.toMatchObject({
        kind: "usage",
        message: `${root}/main/inputs/${name} is not an input file of a pack`,
      });
    },
  );
});
