import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { exportGroup } from "../../lambda/job/export-group.ts";
import { verifyArchive } from "../../lambda/job/verify.ts";
import { historyOf } from "../emulator/history.ts";
import { temporaryFolder } from "../leftovers.ts";
import { exportRequest } from "../support/exports.ts";
import { makeBench } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";

const REQUEST = exportRequest(parsePeriod("month-2025-03"));
const GROUP = { name: "hedge_main", accounts: ["hedge", "main"] };

let root: string;
let store: MemoryStore;

beforeEach(() => {
  root = temporaryFolder();
  store = memoryStore();
});

const jobOf = (account: string) => Promise.resolve(makeBench({ history: historyOf([]), job: { account, store } }).job);

test.each([
  ["a link that leads nowhere", (path: string) => symlink("/nowhere", path), "it does not exist"],
  ["a link to itself", (path: string) => symlink("main", path), "ELOOP"],
  ["a file", (path: string) => writeFile(path, ""), "ENOTDIR"],
])("an account's folder that is %s is not ignored", async (_, make, reason) => {
  await mkdir(join(root, "hedge"));
  await make(join(root, "main"));
  await expect(exportGroup(GROUP, jobOf, { ...REQUEST, inputsDir: root })).rejects.toMatchObject({
    kind: "usage",
    message: `main: cannot read ${join(root, "main")}: ${reason}`,
  });
  expect(store.snapshot().size).toBe(0);
});

test("nothing is copied if a file is in the way", async () => {
  const mine = join(root, "fills.csv");
  await writeFile(mine, "mine");
  const { dir, problem } = await exportGroup(GROUP, jobOf, { ...REQUEST, out: root });
  expect(dir).toMatch(/\/hedge_main\/packs\/month-2025-03\/[0-9a-f]{16}$/);
  expect(problem).toMatchObject({
    kind: "usage",
    message: `${mine} already exists with other content; the pack is in ${dir}; only the copy to ${root} was not made`,
  });
  expect(await readdir(root, { recursive: true })).toHaveLength(1);
});

test("verify of each account checks the packs of several accounts, too", async () => {
  await exportGroup(GROUP, jobOf, REQUEST);
  const [damaged = ""] = [...store.snapshot().keys()].filter((key) => key.endsWith("/fees.csv"));
  store.put(damaged, Buffer.from("account\r\n"));
  const { ok, findings } = await verifyArchive(await jobOf("main"), { rewalk: false });
  expect({ ok, findings }).toEqual({ ok: false, findings: [expect.stringContaining(`${damaged} is damaged`)] });
});
