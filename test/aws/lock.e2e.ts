import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  type ObjectLockConfiguration,
  type ObjectVersion,
  PutObjectCommand,
  PutObjectLockConfigurationCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PackLock } from "../../infra/settings.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { startCli } from "../cli/child.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { type RunningEmulator, startEmulator as startService } from "../emulator/server.ts";
import { packResource, packStack } from "../infra/pack-stack.ts";
import { type Emulator, MINISTACK, MOTO, startEmulator } from "./conformance-emulators.ts";

/**
 * Packs under Object Lock, published by the real program into buckets of others. The bucket is made by hand, with what the stack's template says of its
 * lock: the emulator's CloudFormation reads nothing of it. Its policy is tried nowhere but in the template (test/infra/pack-bucket.test.ts).
 */

const GOVERNANCE: PackLock = { mode: "governance", days: 3650 };
const COMPLIANCE: PackLock = { mode: "compliance", days: 1 };
const DAY_MS = 86_400_000;
const MARCH = parsePeriod("month-2025-03");
const KEYS = { accessKeyId: "test", secretAccessKey: "test" };
const REGION = "us-east-1";

let service: RunningEmulator;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fillbook-lock-"));
  service = await startService({ history: makeHistory({ seed: 9, fills: 80, from: MARCH.from, to: MARCH.to }) });
  await mkdir(join(folder, "store/main/inputs"), { recursive: true });
  const nothingOpen = `market,quantity,average_price,as_of,evidence\n*,0,,${new Date(MARCH.from).toISOString()},\n`;
  await writeFile(join(folder, "store/main/inputs/opening-positions.csv"), nothingOpen);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

function lockOf(lock: PackLock): ObjectLockConfiguration {
  const { ObjectLockConfiguration: found } = packResource(packStack(lock).template, "AWS::S3::Bucket").Properties;
  return found as ObjectLockConfiguration; // a template says it in the words of S3
}

describe.each([
  ["MiniStack", MINISTACK],
  ["moto", MOTO],
])("on %s", (_, program) => {
  let emulator: Emulator;
  let client: S3Client;
  beforeAll(async () => {
    emulator = await startEmulator(program);
    client = new S3Client({ endpoint: emulator.endpoint, region: REGION, forcePathStyle: true, credentials: KEYS });
  });
  afterAll(async () => {
    client.destroy();
    await emulator.stop();
  });

  async function lockedBucket(lock: PackLock): Promise<string> {
    const Bucket = `packs-${lock.mode}`;
    await client.send(new CreateBucketCommand({ Bucket, ObjectLockEnabledForBucket: true }));
    const ObjectLockConfiguration = lockOf(lock);
    await client.send(new PutObjectLockConfigurationCommand({ Bucket, ObjectLockConfiguration }));
    return Bucket;
  }

  async function fillbook(bucket: string, line: readonly string[]): Promise<Record<string, unknown>> {
    const ran = await startCli([...line, "--pack-store", `s3://${bucket}/books`, "--json", "--quiet"], {
      FILLBOOK_STORE: join(folder, "store"),
      FILLBOOK_ACCOUNT_URL: service.accountUrl,
      FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
      FILLBOOK_TOKEN: SAMPLE_TOKEN,
      AWS_ENDPOINT_URL: emulator.endpoint,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    }).ended;
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    return JSON.parse(ran.stdout);
  }

  async function versionsIn(bucket: string, prefix = ""): Promise<readonly ObjectVersion[]> {
    const { Versions = [], IsTruncated } = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket, Prefix: prefix }),
    );
    expect(IsTruncated ?? false).toBe(false);
    return Versions;
  }

  async function hashOf(bucket: string, { Key, VersionId }: ObjectVersion): Promise<string> {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key, VersionId }));
    return createHash("sha256")
      .update((await Body?.transformToByteArray()) ?? "")
      .digest("hex");
  }

  function deleteVersion(bucket: string, { Key, VersionId }: ObjectVersion, bypass = false) {
    return client.send(
      new DeleteObjectCommand({
        Bucket: bucket,
        Key,
        VersionId,
        ...(bypass ? { BypassGovernanceRetention: true } : {}),
      }),
    );
  }

  test("governance: every version of a pack is held, overwritten and hidden as it may be, and goes only by the name of the right", async () => {
    const bucket = await lockedBucket(GOVERNANCE);
    const first = await fillbook(bucket, ["export", "--period", MARCH.name]);
    const second = await fillbook(bucket, ["export", "--period", MARCH.name, "--method", "fifo"]);
    expect(await fillbook(bucket, ["verify"])).toMatchObject({ ok: true });

    const versions = await versionsIn(bucket);
    const files = [first, second].flatMap(({ files: written }) => written as { sha256: string }[]);
    expect(versions).toHaveLength(files.length + 2); // and latest.json, which was swapped once
    for (const version of versions) {
      const { ObjectLockMode, ObjectLockRetainUntilDate, LastModified } = await client.send(
        new HeadObjectCommand({ Bucket: bucket, Key: version.Key, VersionId: version.VersionId }),
      );
      expect(ObjectLockMode).toBe("GOVERNANCE");
      const heldMs = (ObjectLockRetainUntilDate?.getTime() ?? 0) - (LastModified?.getTime() ?? 0);
      expect(Math.abs(heldMs - 3650 * DAY_MS)).toBeLessThan(5000); // stores show whole seconds
      await expect(deleteVersion(bucket, version)).rejects.toMatchObject({ name: "AccessDenied" });
    }

    const sums = versions.find(({ Key }) => Key?.endsWith("/SHA256SUMS"));
    const held: ObjectVersion = { Key: sums?.Key, VersionId: sums?.VersionId };
    const before = await hashOf(bucket, held);
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: held.Key, Body: "forged" }));
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: held.Key }));
    expect(await versionsIn(bucket, held.Key)).toHaveLength(2);
    expect(await hashOf(bucket, held)).toBe(before);

    await deleteVersion(bucket, held, true);
    expect((await versionsIn(bucket, held.Key)).map(({ VersionId }) => VersionId)).not.toContain(held.VersionId);
  });

  test("compliance: nobody deletes a version, whatever right is named", async () => {
    const bucket = await lockedBucket(COMPLIANCE);
    await fillbook(bucket, ["export", "--period", MARCH.name]);
    const versions = await versionsIn(bucket);
    expect(versions.length).toBeGreaterThan(20);
    for (const version of versions) {
      await expect(deleteVersion(bucket, version, true)).rejects.toMatchObject({ name: "AccessDenied" });
    }
  });
});
