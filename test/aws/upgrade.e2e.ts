import { execFile } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { DeleteStackCommand, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { DescribeSecretCommand, PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeHistory } from "../emulator/history.ts";
import { deploy } from "./cdk.ts";
import { type Clients, freshCloud, outputOf, until } from "./cloud.ts";
import type { CloudPlace } from "./place.ts";
import { endOfRun, SUCCEEDED, startRun } from "./runs.ts";
import { openService, type Service } from "./service.ts";
import { compareArchive, hashesIn, type Place, placeIn, SAME } from "./truth.ts";

/**
 * A deployment of the version before this one (a function, a machine and a schedule for each account) is upgraded with data in it, and rolled back: as
 * RUNBOOK.md, "Upgrading", says.
 */

const PREVIOUS = "981d6f4";
const ROOT = join(import.meta.dirname, "../..");
const MINUTE_MS = 60_000;
const FILLS = 3000;
const YEAR_2025 = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };

const execute = promisify(execFile);
const isThere = await execute("git", ["cat-file", "-e", `${PREVIOUS}^{commit}`], { cwd: ROOT }).then(
  () => true,
  () => false,
);
if (!isThere) {
  process.stderr.write(`upgrade: not run: this clone's history does not have ${PREVIOUS}\n`);
}

let service: Service;
let place: CloudPlace;
let owner: Clients;
let archive: Place;
let previous: string;
let secret: string;

beforeAll(async () => {
  if (!isThere) {
    return;
  }
  service = await openService({ main: makeHistory({ seed: 41, fills: FILLS, ...YEAR_2025 }) });
  ({ place, owner } = await freshCloud());
  previous = await previousVersion(place.folder);
});
afterAll(() => service?.close());

/** The sources as they were, with the app's wrapper of today, which knows the emulator. */
async function previousVersion(folder: string): Promise<string> {
  const root = join(folder, "previous");
  await mkdir(root);
  const tar = join(folder, "previous.tar");
  const paths = ["lambda", "infra", "cdk.json", "package.json", "package-lock.json", "tsconfig.json"];
  await execute("git", ["archive", "--output", tar, PREVIOUS, ...paths], { cwd: ROOT });
  await execute("tar", ["xf", tar, "-C", root]);
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  for (const name of [
    "app.ts",
    "page-origin.ts",
    "policy-variables.ts",
    "secret-arns.ts",
    "template.ts",
    "unknown.ts",
  ]) {
    cpSync(join(import.meta.dirname, name), join(root, "test/aws", name));
  }
  return root;
}

async function run(machine: string, input: object) {
  const ended = await endOfRun(owner, await startRun(owner, machine, input), 3 * MINUTE_MS);
  expect(ended).toMatchObject({ ...SUCCEEDED, output: { complete: true } });
  return ended;
}

async function deleteStacks(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await owner.formation.send(new DeleteStackCommand({ StackName: name }));
    await until(`the end of ${name}`, MINUTE_MS, async () => {
      const { Stacks: stacks = [] } = await owner.formation.send(new DescribeStacksCommand({}));
      return stacks.some(({ StackName: one, StackStatus: status }) => one === name && status !== "DELETE_COMPLETE")
        ? null
        : true;
    });
  }
}

/** What never changes, however many versions come after: all but the heads. */
async function unchanging(): Promise<ReadonlyMap<string, string>> {
  const hashes = await hashesIn(archive, "");
  return new Map([...hashes].filter(([key]) => !(key.endsWith("head.json") || key.endsWith("latest.json"))));
}

async function expectAllOf(before: ReadonlyMap<string, string>): Promise<void> {
  const now = await unchanging();
  expect([...before].filter(([key, hash]) => now.get(key) !== hash)).toEqual([]);
}

async function putToken(name: string): Promise<void> {
  const SecretString = JSON.stringify({ token: service.books.get("main")?.token });
  await owner.secrets.send(new PutSecretValueCommand({ SecretId: name, SecretString }));
}

async function expectTruth(): Promise<void> {
  const book = service.books.get("main");
  expect(book && (await compareArchive(archive, book.emulator))).toEqual({ rows: FILLS, ...SAME });
}

test.skipIf(!isThere)("the version before this one has data and a pack", async () => {
  await deploy(place, { root: previous, service });
  archive = placeIn(owner.s3, await outputOf(owner, "FillbookData", "ArchiveUri"), "main");
  secret = await outputOf(owner, "FillbookData", "TokenSecretmain");
  await putToken(secret);
  const machine = await outputOf(owner, "FillbookJob-main", "StateMachineArn");
  await run(machine, { action: "sync", from: "2025-01-01", to: "2025-07-01" });
  await run(machine, { action: "export", period: "month-2025-03" });
});

test.skipIf(!isThere)("upgraded, it has all of that, and goes on from there", async () => {
  const before = await unchanging();
  const { Name: name = "" } = await owner.secrets.send(new DescribeSecretCommand({ SecretId: secret }));
  await deleteStacks("FillbookJob-main");
  await deploy(place, { settings: { tokenSecrets: `main=${name}` }, service });
  expect(placeIn(owner.s3, await outputOf(owner, "FillbookData", "ArchiveUri"), "main")).toEqual(archive);
  await expectAllOf(before);

  const machine = await outputOf(owner, "FillbookJob", "MachineArn");
  const synced = await run(machine, { action: "sync" });
  expect(synced.output).toMatchObject({ fills: FILLS });
  expect(Number(synced.output?.["added"])).toBeLessThan(FILLS);
  await run(machine, { action: "export", period: "month-2025-08" });
  await expectAllOf(before);
  await expectTruth();
});

test.skipIf(!isThere)(
  "rolled back, the version before says that it cannot read what this one wrote, and changes nothing",
  async () => {
    const before = await unchanging();
    await deleteStacks("FillbookJob", "FillbookTable");
    await deploy(place, { root: previous, service });
    await putToken(await outputOf(owner, "FillbookData", "TokenSecretmain"));
    const machine = await outputOf(owner, "FillbookJob-main", "StateMachineArn");
    for (const input of [{ action: "sync" }, { action: "export", period: "month-2025-09" }]) {
      const ended = await endOfRun(owner, await startRun(owner, machine, input), 3 * MINUTE_MS);
      expect(ended).toMatchObject({
        status: "FAILED",
        output: { Cause: expect.stringContaining("is not a manifest that this version can read") },
      });
    }
    expect(await unchanging()).toEqual(before);
    await expectTruth();
  },
);
