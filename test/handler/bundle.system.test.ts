import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RunningEmulator } from "../emulator/server.ts";
import type { S3Double } from "../support/s3-double/server.ts";
import { bundleFolder } from "./bundle.ts";
import type { Sandbox } from "./sandbox.ts";
import { openWorld, TOKEN, WHOLE_YEAR, type World } from "./world.ts";

/**
 * The bundle measured 1.78 MB; 5 % more is allowed for growth of our own code. A new dependency exceeds that.
 * Every cold start loads it, so adding one is a decision that needs a new measurement.
 */
const BUNDLE_BUDGET_BYTES = 1_870_000;

const SECRET = "fillbook/main";
const FILLS = 3000;

const folder = bundleFolder();

let world: World;
let service: RunningEmulator;
let s3: S3Double;
let sandbox: Sandbox;

beforeEach(async () => {
  world = await openWorld(folder, {
    history: { fills: FILLS, from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) },
    environment: {
      FILLBOOK_ACCOUNT: "main",
      FILLBOOK_ACCOUNT_ROLE: "arn:aws:iam::000000000000:role/fillbook-account-eu-west-1",
      FILLBOOK_STORE: "s3://archive/fillbook",
      FILLBOOK_TOKEN_SECRET: "fillbook/{account}",
    },
    secrets: [SECRET],
  });
  ({ service, s3, sandbox } = world);
});
afterEach(() => world.close());

/**
 * Resolves when a request follows the first `requests` ones. That request and all later ones are answered too
 * late for the slice.
 */
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
  test("is alone in its folder, and within its budget", () => {
    expect(readdirSync(folder).sort()).toEqual(["index.mjs", "index.mjs.map"]);
    expect(statSync(join(folder, "index.mjs")).size).toBeLessThan(BUNDLE_BUDGET_BYTES);
  });

  test("contains only one of undici's parsers", () => {
    const { sources }: { sources: readonly string[] } = JSON.parse(readFileSync(join(folder, "index.mjs.map"), "utf8"));
    const undici = sources.flatMap((source) => /node_modules\/undici\/(.*)/.exec(source)?.slice(1) ?? []);
    expect(undici).toContain("lib/llhttp/llhttp_simd-wasm.js");
    expect(undici.filter((path) => path.startsWith("lib/milo/"))).toEqual([]);
  });

  test("stops before its deadline with its progress committed, and a later slice completes the run", async () => {
    const first = await sandbox.invoke(WHOLE_YEAR, { timeIsUp: slowAfter(20) });
    const more = { complete: false, stalled: false, retryAfterSeconds: 1, error: { kind: "incomplete" } };
    expect(first.answer).toMatchObject(more);
    expect(s3.bucket.objects.has("fillbook/main/head.json")).toBe(true);
    const askedBefore = service.emulator.log.requests;
    service.emulator.setSwitches({ latency: { ms: 0, jitterMs: 0 } });

    const second = await sandbox.invoke(WHOLE_YEAR);
    const kept = Number(first.answer?.["fills"]);
    expect(kept).toBeGreaterThan(0);
    expect(second.answer).toMatchObject({ complete: true, account: "main", fills: FILLS, added: FILLS - kept });
    const asked = service.emulator.log.requests - askedBefore;
    expect(second.answer?.["requests"]).toBe(asked);

    const again = await sandbox.invoke(WHOLE_YEAR);
    expect(again.answer).toMatchObject({ complete: true, fills: FILLS, added: 0, requests: 0 });
  });

  test("fails with BadSettings if it may not assume the account's role, and sends S3 no request", async () => {
    world.sts.refusal = "AccessDenied";
    const { error } = await sandbox.invoke(WHOLE_YEAR);
    expect(error).toMatchObject({ name: "BadSettings", message: expect.stringContaining("FILLBOOK_ACCOUNT_ROLE") });
    expect(s3.requests).toEqual([]);
  });

  test("logs JSON lines that name the run, and metrics for CloudWatch, and never the token", async () => {
    await sandbox.invoke({ action: "sync", runId: "nightly-1" }, { requestId: "request-1" });
    service.emulator.setTokens([]);
    const refused = await sandbox.invoke({ action: "sync", from: "2024-01-01" }, { requestId: "request-2" });
    expect(refused.error).toMatchObject({ name: "TokenRefused", message: expect.stringMatching(/token/) });
    const lines = logLines();
    for (const line of lines) {
      expect(line).toMatchObject({ time: expect.stringMatching(/Z$/), account: "main", message: expect.any(String) });
    }
    expect(lines.filter((line) => "_aws" in line)).toMatchObject([
      { runId: "nightly-1", FillsAdded: FILLS, fillsInArchive: FILLS, Completed: 1, Gaps: 0 },
      { requestId: "request-2", Failed: 1, TokenRefused: 1 },
    ]);
    const [first, last] = [{ runId: "nightly-1", requestId: "request-1" }, { requestId: "request-2" }];
    expect(lines[0]).toMatchObject({ level: "INFO", message: "slice begins", ...first });
    expect(lines.at(-2)).toMatchObject({ level: "ERROR", message: "slice failed", error: "TokenRefused", ...last });
    expect(sandbox.output()).not.toMatch(new RegExp(`Bearer|${TOKEN}`));
  });
});
