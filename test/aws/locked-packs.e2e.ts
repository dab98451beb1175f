import {
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  type ObjectLockConfiguration,
  PutObjectLockConfigurationCommand,
} from "@aws-sdk/client-s3";
import { PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { makeHistory } from "../emulator/history.ts";
import { ofPacks } from "../infra/synth.ts";
import { asAdministrator } from "./administrator.ts";
import { deploy } from "./cdk.ts";
import { type Clients, freshCloud, outputOf } from "./cloud.ts";
import { endOfRun, SUCCEEDED, startRun } from "./runs.ts";
import { openService, type Service } from "./service.ts";
import { comparePack, jsonOf, keysIn, type Place, placeIn, SAME } from "./truth.ts";

/**
 * A deployment with `packLockDays`. The deployed function publishes packs into the locked bucket, with its
 * own role and the bucket's own policy. The emulator's CloudFormation creates that bucket without its lock,
 * so the test sets the lock as in the template. The emulator's policies do not know the conditions of a write
 * (`s3:if-none-match`, `s3:if-match`, `s3:ObjectCreationOperation`); test/infra/pack-bucket.test.ts asserts
 * those on the template.
 */

const LOCKED = { packLockDays: "3650" };
const MARCH = parsePeriod("month-2025-03");
const FILLS = 300;

let service: Service;
let owner: Clients;
let person: Clients;
let archive: Place;
let packs: Place;
let machine: string;

beforeAll(async () => {
  service = await openService({ main: makeHistory({ seed: 31, fills: FILLS, from: MARCH.from, to: MARCH.to }) });
  const cloud = await freshCloud();
  const { place } = cloud;
  owner = cloud.owner;
  person = await asAdministrator(place, owner);
  await deploy(place, { settings: LOCKED, service });
  archive = placeIn(owner.s3, await outputOf(owner, "FillbookData", "ArchiveUri"), "main");
  packs = placeIn(owner.s3, await outputOf(owner, "FillbookData", "PacksUri"), "main");
  machine = await outputOf(owner, "FillbookJob", "MachineArn");
  const { ObjectLockConfiguration: lock } = ofPacks(LOCKED, "AWS::S3::Bucket").Properties;
  await owner.s3.send(
    new PutObjectLockConfigurationCommand({
      Bucket: packs.bucket,
      ObjectLockConfiguration: lock as ObjectLockConfiguration, // the template uses S3's own terms
    }),
  );
  const SecretString = JSON.stringify({ token: service.books.get("main")?.token });
  await owner.secrets.send(new PutSecretValueCommand({ SecretId: "fillbook/main", SecretString }));
});
afterAll(() => service.close());

async function exported(input: object) {
  return await endOfRun(
    owner,
    await startRun(owner, machine, { action: "export", period: MARCH.name, ...input }),
    120_000,
  );
}

test("packs are published into the locked bucket, and into no other", async () => {
  expect(await exported({})).toMatchObject({ ...SUCCEEDED, output: { complete: true } });
  expect(await exported({ method: "fifo" })).toMatchObject({ ...SUCCEEDED, output: { complete: true } });
  const keys = await keysIn(packs);
  expect(keys.every((key) => key.startsWith(`packs/${MARCH.name}/`))).toBe(true);
  expect((await keysIn(archive)).filter((key) => key.startsWith("packs/"))).toEqual([]);
  const { version } = await jsonOf(packs, `packs/${MARCH.name}/latest.json`);
  const truth = service.books.get("main")?.emulator;
  expect(truth).toBeDefined();
  if (truth !== undefined) {
    const range = { from: MARCH.from, to: MARCH.to };
    const compared = await comparePack(packs, `packs/${MARCH.name}/${version}/fills.parquet`, truth, range);
    expect(compared).toEqual({ rows: FILLS, ...SAME });
  }
});

test("a person who may do everything cannot hide a pack, and can delete a version only by an explicit bypass", async () => {
  const { version } = await jsonOf(packs, `packs/${MARCH.name}/latest.json`);
  const file = `packs/${MARCH.name}/${version}/fills.csv`;
  const keyOf = (key: string) => ({ Bucket: packs.bucket, Key: `${packs.prefix}${key}` });
  const refused = { name: "AccessDenied" };
  for (const key of [file, `packs/${MARCH.name}/latest.json`]) {
    await expect(person.s3.send(new DeleteObjectCommand(keyOf(key)))).rejects.toMatchObject(refused);
  }
  const { Versions = [] } = await person.s3.send(
    new ListObjectVersionsCommand({ Bucket: packs.bucket, Prefix: keyOf(file).Key }),
  );
  expect(Versions).toHaveLength(1);
  const held = { ...keyOf(file), VersionId: Versions[0]?.VersionId };
  expect(await person.s3.send(new HeadObjectCommand(held))).toMatchObject({ ObjectLockMode: "GOVERNANCE" });
  await expect(person.s3.send(new DeleteObjectCommand(held))).rejects.toMatchObject(refused);
  await person.s3.send(new DeleteObjectCommand({ ...held, BypassGovernanceRetention: true }));
  expect(await keysIn(packs)).not.toContain(file);
});
