import { copyFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { expectRecovers, expectTold, openWorld, type World } from "./world.ts";

// A missing head, one older than later commits, or one of an older format. Every command refuses the archive,
// and none goes on from that head.

const RUNBOOK = await readFile(join(import.meta.dirname, "../../RUNBOOK.md"), "utf8");

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world.close());

const VERIFY = ["verify"];
const STATUS = ["status"];
const SYNC = ["sync", "--from", "2025-01-01", "--to", "2025-04-01"];
const EXPORT = ["export", "--period", "month-2025-02"];

const head = () => join(world.path, "main/head.json");
const kept = () => `${world.path}-head.json`;

/** Each sync makes at least one commit. */
async function syncUpTo(...days: readonly string[]): Promise<void> {
  for (const to of days) {
    expect(await world.type(["sync", "--from", "2025-01-01", "--to", to])).toMatchObject({ code: 0 });
  }
}

async function manifests(): Promise<string[]> {
  return (await readdir(join(world.path, "main/manifests"))).sort();
}

/** What every command says, and that none of them writes anything. */
async function expectRefused(told: Parameters<typeof expectTold>[1]): Promise<void> {
  const before = await manifests();
  const kept = await readFile(head()).catch(() => null);
  for (const line of [VERIFY, STATUS, SYNC, EXPORT]) {
    expectTold(await world.type(line), told);
    expect([await manifests(), await readFile(head()).catch(() => null)]).toEqual([before, kept]);
  }
}

test("no head: exit 5, and what to restore", async () => {
  await syncUpTo("2025-04-01");
  await copyFile(head(), kept());
  await rm(head());
  await expectRefused({
    kind: "untrusted",
    says: [`${head()} is missing, but main/manifests/`],
    hint: "restore head.json",
  });
  await copyFile(kept(), head());
  await expectRecovers(world);
});

test("a head several commits old: exit 5, nothing written", async () => {
  await syncUpTo("2025-03-10");
  await copyFile(head(), kept());
  await syncUpTo("2025-03-12", "2025-03-14", "2025-03-16");
  await copyFile(kept(), head());
  await expectRefused({
    kind: "untrusted",
    says: [`${head()} is older than the archive: it names manifest`, "but main/manifests/"],
    hint: /restore head.json from its newest version or backup. The newest manifest is main\/manifests\//,
  });
});

test("no head: one that is written as the runbook says is that of the archive", async () => {
  await syncUpTo("2025-03-12");
  const { manifest } = JSON.parse(await readFile(head(), "utf8"));
  await rm(head());
  const [, text = ""] = /^ *(\{"format":"fillbook-head.*)$/m.exec(RUNBOOK) ?? [];
  await writeFile(head(), text.replace("NUMBER", manifest.seq).replace("HASH", manifest.sha256));
  expect(await world.type(VERIFY)).toMatchObject({ code: 0 });
  expect(JSON.parse((await world.type(STATUS)).stdout)).toMatchObject({ manifest });
  await expectRecovers(world);
});

test("a head one commit old looks like that of a killed run, and the next run goes on from it", async () => {
  await syncUpTo("2025-03-12");
  const { manifest, ...rest } = JSON.parse(await readFile(head(), "utf8"));
  const before = (await manifests()).find((name) => name.startsWith(`${manifest.seq - 1}-`)) ?? expect.fail("none");
  const [seq, sha256] = before.replace(".json", "").split("-");
  await writeFile(head(), JSON.stringify({ ...rest, manifest: { seq: Number(seq), sha256 } }));
  expect(await world.type(STATUS)).toMatchObject({ code: 0 });
  await expectRecovers(world);
});

test("a head of the older format: exit 2 and the way on, nothing written", async () => {
  await syncUpTo("2025-03-12");
  const newer = JSON.parse(await readFile(head(), "utf8"));
  await writeFile(head(), JSON.stringify({ ...newer, format: "fillbook-head/1", epoch: 4 }));
  await expectRefused({
    kind: "usage",
    says: [`${head()} belongs to an archive of an older format`],
    hint: "sync the account into a new, empty --store",
  });
});
