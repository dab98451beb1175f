import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeHistory } from "../emulator/history.ts";
import { type RunningEmulator, startEmulator } from "../emulator/server.ts";
import { resourcesOf, type Statement, statementsOf, templates, testApp } from "../infra/synth.ts";
import { type S3Double, type S3Request, startS3Double } from "../support/s3-double/server.ts";
import { type SecretsDouble, startSecretsDouble } from "../support/secrets-double.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

const TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJidW5kbGUifQ.b25l";
const OTHER_TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJidW5kbGUifQ.dHdv";
const SECRET = "arn:aws:secretsmanager:eu-west-1:000000000000:secret:Tokenmain-a1b2c3";
const FILLS = 3000;
const WHOLE_YEAR = { action: "sync", from: "2025-01-01", to: "2026-01-01" };

/** What S3 asks of the caller for each operation. https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html */
const ACTIONS: Readonly<Record<string, string>> = {
  GetObject: "s3:GetObject",
  HeadObject: "s3:GetObject",
  ListObjectsV2: "s3:ListBucket",
  PutObject: "s3:PutObject",
  CreateMultipartUpload: "s3:PutObject",
  UploadPart: "s3:PutObject",
  CompleteMultipartUpload: "s3:PutObject",
  AbortMultipartUpload: "s3:AbortMultipartUpload",
};

let folder: string;
beforeAll(() => {
  const { app, outdir } = testApp({}, { bundle: true });
  app.synth();
  const [asset] = readdirSync(outdir).filter((name) => name.startsWith("asset."));
  folder = mkdtempSync(join(tmpdir(), "fillbook-lambda-"));
  cpSync(join(outdir, String(asset)), folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let service: RunningEmulator;
let s3: S3Double;
let secrets: SecretsDouble;
let sandbox: Sandbox;

beforeEach(async () => {
  const history = makeHistory({ seed: 8, fills: FILLS, from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) });
  service = await startEmulator({ history, tokens: [TOKEN] });
  s3 = await startS3Double({ bucket: "archive" });
  secrets = await startSecretsDouble();
  secrets.secrets.set(SECRET, JSON.stringify({ token: TOKEN }));
  sandbox = await openSandbox(folder, {
    FILLBOOK_ACCOUNT: "main",
    FILLBOOK_STORE: "s3://archive/fillbook",
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    FILLBOOK_TOKEN_SECRET: SECRET,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_ENDPOINT_URL: s3.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
  });
});
afterEach(async () => {
  await Promise.all([sandbox.close(), service.close(), s3.close(), secrets.close()]);
});

/** Resolves once the service was asked this many times; what it is asked from then on, it answers too late. */
function slowAfter(requests: number): Promise<void> {
  const { emulator } = service;
  const { handle } = emulator;
  return new Promise((resolve) => {
    emulator.handle = (request, nowMs) => {
      if (emulator.log.requests >= requests) {
        emulator.handle = handle;
        emulator.setSwitches({ latency: { ms: 600_000, jitterMs: 0 } });
        resolve();
      }
      return handle(request, nowMs);
    };
  });
}

function logLines(): readonly Readonly<Record<string, unknown>>[] {
  return sandbox
    .output()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("the bundle", () => {
  test("is alone in its folder, and small", () => {
    expect(readdirSync(folder).sort()).toEqual(["index.mjs", "index.mjs.map"]);
    expect(statSync(join(folder, "index.mjs")).size).toBeLessThan(2_000_000);
  });

  test("stops before its deadline with its progress committed, and a later slice completes the run", async () => {
    const first = await sandbox.invoke(WHOLE_YEAR, { timeIsUp: slowAfter(20) });
    expect(first.answer).toMatchObject({
      complete: false,
      setback: false,
      retryAfterSeconds: 1,
      error: { kind: "incomplete" },
    });
    expect(s3.bucket.objects.has("fillbook/main/head.json")).toBe(true);
    const askedBefore = service.emulator.log.requests;
    service.emulator.setSwitches({ latency: { ms: 0, jitterMs: 0 } });

    const second = await sandbox.invoke(WHOLE_YEAR);
    const kept = Number(first.answer?.["fills"]);
    expect(kept).toBeGreaterThan(0);
    expect(second.answer).toMatchObject({ complete: true, account: "main", fills: FILLS, added: FILLS - kept });
    const asked = service.emulator.log.requests - askedBefore;
    expect(second.answer?.["requests"]).toBe(asked);
    expect(asked).toBeLessThan(FILLS / 100); // fewer than a walk from the beginning needs

    const again = await sandbox.invoke(WHOLE_YEAR);
    expect(again.answer).toMatchObject({ complete: true, fills: FILLS, added: 0, requests: 0 });
  });

  test("asks S3 for nothing that its role or the bucket's policy refuses", async () => {
    await sandbox.invoke(WHOLE_YEAR);
    const exported = await sandbox.invoke({ action: "export", period: "month-2025-03" });
    expect(exported.answer).toMatchObject({
      complete: true,
      dir: expect.stringMatching(/^s3:\/\/archive\/fillbook\/main\/packs\/month-2025-03\//),
    });
    expect(s3.requests.length).toBeGreaterThan(20);
    expect(s3.requests.filter((request) => !allowedByRole(request))).toEqual([]);
    expect(s3.requests.filter((request) => deniedByBucket(request))).toEqual([]);
  });

  test("reads the token once while it is warm, and again when the service refuses it", async () => {
    await sandbox.invoke(WHOLE_YEAR);
    await sandbox.invoke({ ...WHOLE_YEAR, to: "2026-02-01" });
    expect(secrets.asked).toEqual([SECRET]);

    service.emulator.setTokens([OTHER_TOKEN]);
    secrets.secrets.set(SECRET, JSON.stringify({ token: OTHER_TOKEN }));
    const rotated = await sandbox.invoke({ ...WHOLE_YEAR, to: "2026-03-01" });
    expect(rotated.answer).toMatchObject({ complete: true });
    expect(secrets.asked).toEqual([SECRET, SECRET]);
  });

  test("fails as TokenRefused when the refused token is the one that the secret still holds", async () => {
    service.emulator.setTokens([OTHER_TOKEN]);
    const { answer, error } = await sandbox.invoke(WHOLE_YEAR);
    expect(answer).toBeUndefined();
    expect(error).toMatchObject({ name: "TokenRefused", message: expect.stringMatching(/token/) });
    expect(error?.cause).toBeUndefined();
    expect(service.emulator.log.requests).toBeLessThan(10);
  });

  test("fails as BadSettings when the secret is still empty", async () => {
    secrets.secrets.clear();
    const { error } = await sandbox.invoke(WHOLE_YEAR);
    expect(error).toMatchObject({ name: "BadSettings", message: expect.stringContaining("FILLBOOK_TOKEN_SECRET") });
  });

  test("fails at once for a period that is not over, because waiting would not help", async () => {
    const { error } = await sandbox.invoke({ action: "export", period: "month-2099-01" });
    expect(error).toMatchObject({ name: "NotComplete", message: expect.stringMatching(/run again after 2099-02-01/) });
  });

  test("fails as BadSettings on an event that makes no sense, and asks the service nothing", async () => {
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ action: "delete" }, /it must be "sync" or "export"/],
      [{ action: "export" }, /period/],
      [{ action: "sync", account: "other" }, /this function is account "main"'s/],
    ];
    for (const [event, message] of cases) {
      const { error } = await sandbox.invoke(event);
      expect(error).toMatchObject({ name: "BadSettings", message: expect.stringMatching(message) });
    }
    expect(service.emulator.log.requests).toBe(0);
  });

  test("logs JSON lines that name the run, and metrics for CloudWatch, and never the token", async () => {
    await sandbox.invoke({ action: "sync", runId: "nightly-1" }, { requestId: "request-1" });
    service.emulator.setTokens([]);
    await sandbox.invoke({ action: "sync", from: "2024-01-01" }, { requestId: "request-2" });
    const lines = logLines();
    const [metrics, ...others] = lines.filter((line) => "_aws" in line);
    expect(others).toHaveLength(1);
    expect(metrics).toMatchObject({ Account: "main", FillsAdded: FILLS, FillsInArchive: FILLS, Completed: 1, Gaps: 0 });
    for (const line of lines.filter((one) => !("_aws" in one))) {
      expect(line).toMatchObject({ time: expect.stringMatching(/Z$/), account: "main", message: expect.any(String) });
    }
    expect(lines[0]).toMatchObject({
      level: "INFO",
      message: "slice begins",
      runId: "nightly-1",
      requestId: "request-1",
    });
    expect(lines.at(-1)).toMatchObject({
      level: "ERROR",
      message: "slice failed",
      requestId: "request-2",
      error: "TokenRefused",
    });
    for (const secret of [TOKEN, "Bearer", SECRET.slice(-6)]) {
      expect(sandbox.output()).not.toContain(secret);
    }
  });
});

function jobStatements(): readonly Statement[] {
  return resourcesOf(templates().job, "AWS::IAM::Policy")
    .filter(([id]) => id.startsWith("JobRole"))
    .flatMap(([, policy]) => statementsOf(policy));
}

function allowedByRole({ operation, key, bucket }: S3Request): boolean {
  const action = ACTIONS[operation];
  const inPrefix = key === "" || key.startsWith("fillbook/main/");
  return (
    action !== undefined &&
    bucket === "archive" &&
    inPrefix &&
    jobStatements().some(({ Action }) => [Action].flat().includes(action))
  );
}

/** Every write carries a condition; what is immutable is only ever created. The patterns are the bucket policy's, as a test of its own holds them. */
function deniedByBucket({ operation, key, ifMatch, ifNoneMatch }: S3Request): boolean {
  if (operation === "DeleteObject") {
    return true;
  }
  if (operation !== "PutObject" && operation !== "CompleteMultipartUpload") {
    return false;
  }
  const isMutable = /^fillbook\/main\/(?:head\.json|packs\/[^/]+\/latest\.json)$/.test(key);
  return isMutable ? ifMatch === undefined && ifNoneMatch === undefined : ifNoneMatch === undefined;
}
