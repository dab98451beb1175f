import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { exportGroup } from "../../lambda/job/export-group.ts";
import { historyOf } from "../emulator/history.ts";
import { makeBench } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";

test.each([
  ["a link that leads nowhere", (path: string) => symlink("/nowhere", path), "it is not there"],
  ["a link to itself", (path: string) => symlink("main", path), "ELOOP"],
  ["a file", (path: string) => writeFile(path, ""), "ENOTDIR"],
])("the folder of an account that is %s is not passed over", async (_, make, reason) => {
  const root = await mkdtemp(join(tmpdir(), "fillbook-group-"));
  try {
    await mkdir(join(root, "hedge"));
    await make(join(root, "main"));
    const store = memoryStore();
    const jobOf = (account: string) =>
      Promise.resolve(makeBench({ history: historyOf([]), job: { account, store } }).job);
    const request = {
      period: parsePeriod("month-2025-03"),
      method: "average",
      isMethodChosen: true,
      basis: "fill",
      allowIncomplete: false,
      inputsDir: root,
    } as const;
    await expect(
      exportGroup({ name: "hedge_main", accounts: ["hedge", "main"] }, jobOf, request),
    ).rejects.toMatchObject({
      kind: "usage",
      message: `main: cannot read ${join(root, "main")}: ${reason}`,
    });
    expect(store.snapshot().size).toBe(0);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
