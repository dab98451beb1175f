import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { S3Client } from "@aws-sdk/client-s3";
import { Zip, ZipDeflate } from "fflate";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listen, stop } from "../support/loopback.ts";
import { type Container, taskBundle } from "./bundle.ts";
import { FUNCTION_KEY, openWorld, type World } from "./world.ts";

/**
 * A task's container as a process on this machine. It has the entry point, command and environment of the
 * template, and talks to doubles. What Fargate adds (the image, the read-only disk, the user without rights,
 * the address) exists only in the template.
 */

const RUN = { action: "export", account: "main", period: "month-2025-03", runId: "tax-2025" };
const ANSWER = { action: "answer", account: "main", runId: RUN.runId };
const ROLE = { AccessKeyId: FUNCTION_KEY, SecretAccessKey: "of-the-task", Token: "of-the-task" };
/** Enough fills that some files are uploaded in parts. */
const HISTORY = { fills: 20_000, from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) };

let folder: string;
let container: Container;
let zip: Uint8Array;
beforeAll(() => {
  ({ folder, container } = taskBundle());
  zip = zipped(["index.mjs.map", "index.mjs"]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A ZIP written as a stream, as the CDK does it: each file's sizes follow its data. */
function zipped(names: readonly string[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  const made = new Zip((error, piece) => {
    if (error !== null) {
      throw error;
    }
    pieces.push(piece);
  });
  for (const name of names) {
    const file = new ZipDeflate(name);
    made.add(file);
    file.push(readFileSync(join(folder, name)), true);
  }
  made.end();
  return Buffer.concat(pieces);
}

let world: World;
/** Serves the bundle from where the CDK puts it, and the task's credentials. */
let platform: Server;
let platformUrl: string;
let downloads: IncomingHttpHeaders[];
let served: Uint8Array;

beforeEach(async () => {
  world = await openWorld(folder, {
    history: HISTORY,
    environment: {
      FILLBOOK_ACCOUNT_ROLE: "arn:aws:iam::000000000000:role/fillbook-account-eu-west-1",
      FILLBOOK_STORE: "s3://archive/fillbook",
      FILLBOOK_TOKEN_SECRET: "fillbook/{account}",
    },
    secrets: ["fillbook/main"],
  });
  downloads = [];
  served = zip;
  platform = createServer((request, response) => {
    if (request.url === "/credentials") {
      response.end(JSON.stringify({ ...ROLE, Expiration: "2099-01-01T00:00:00Z" }));
      return;
    }
    downloads.push(request.headers);
    response.end(served);
  });
  platformUrl = await listen(platform);
});
afterEach(() => Promise.all([world.close(), stop(platform)]));

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the container. `told` gets the process id as soon as the process runs. */
async function runContainer(event: object = RUN, told: (pid: number) => void = () => undefined): Promise<Ended> {
  const { service, s3, secrets, sts } = world;
  const ofTemplate = container.Environment.flatMap(({ Name, Value }) =>
    typeof Value === "string" ? [[Name, Value]] : [],
  );
  const [command = "", ...args] = [...container.EntryPoint, ...container.Command];
  expect(command).toBe("node");
  const child = spawn(process.execPath, args, {
    env: {
      ...Object.fromEntries(ofTemplate),
      FILLBOOK_EVENT: JSON.stringify(event),
      FILLBOOK_BUNDLE: `${platformUrl}/assets/bundle.zip`,
      FILLBOOK_STORE: "s3://archive/fillbook",
      FILLBOOK_ACCOUNT_ROLE: "arn:aws:iam::000000000000:role/fillbook-account-eu-west-1",
      FILLBOOK_ACCOUNT_URL: service.accountUrl,
      FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
      AWS_REGION: "eu-west-1",
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${platformUrl}/credentials`,
      AWS_ENDPOINT_URL: s3.endpoint,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
      AWS_ENDPOINT_URL_STS: sts.endpoint,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  told(child.pid ?? 0);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [code]: [number | null] = (await once(child, "exit")) as [number | null];
  return { code, output };
}

function packKeys(): string[] {
  return [...world.s3.bucket.objects.keys()].filter((key) => key.includes("/packs/"));
}

describe("work that is too long for a slice", () => {
  test("is done by a task with the function's bundle and the account's role, and a slice of the run returns its answer", async () => {
    // A slice with almost no time: it walks, but has no time for the pack.
    const short = await world.sandbox.invoke(RUN, { timeIsUp: new Promise(() => undefined) });
    expect(short.answer).toMatchObject({ complete: false, needsTask: true, account: "main" });
    expect(packKeys()).toEqual([]);
    const { code, output } = await runContainer();
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('"message":"slice ended"') });
    const told = await world.sandbox.invoke(ANSWER);
    expect(told.answer).toMatchObject({ complete: true, stalled: false, needsTask: false, period: RUN.period });
    const dir = String(told.answer?.["dir"]);
    const keys = packKeys().map((key) => `s3://archive/${key}`);
    expect(keys.filter((key) => key.startsWith(`${dir}/`)).length).toBeGreaterThan(30);
    expect(keys).toContain(`${dir}/SHA256SUMS`);
    // A slice that has enough time makes the same pack.
    const whole = await world.sandbox.invoke(RUN);
    expect(whole.answer?.["files"]).toEqual(told.answer?.["files"]);
    expect(world.sts.sessions.map(({ askedBy, tags }) => [askedBy, tags])).toEqual(
      world.sts.sessions.map(() => [FUNCTION_KEY, { account: "main" }]),
    );
  });

  test("leaves nothing if its task is stopped; the task says so and is started again", async () => {
    const { s3, sandbox } = world;
    let pid = 0;
    s3.plan = ({ operation, key }) => {
      if (operation === "GetObject" && key.includes("/fills/") && pid > 0) {
        process.kill(pid, "SIGTERM");
        pid = 0;
      }
      return "ok";
    };
    const stopped = await runContainer(RUN, (id) => {
      pid = id;
    });
    expect(stopped.code).toBe(0);
    expect(packKeys()).toEqual([]);
    expect([...s3.bucket.uploads]).toEqual([]);
    const told = await sandbox.invoke(ANSWER);
    expect(told.answer).toMatchObject({
      complete: false,
      stalled: true,
      needsTask: false,
      error: { kind: "incomplete", message: expect.stringMatching(/was asked to stop|had to end/) },
    });
    expect((await runContainer()).code).toBe(0);
    expect((await sandbox.invoke(ANSWER)).answer).toMatchObject({ complete: true });
  });

  test("fails its slice with the same name and message if its task fails", async () => {
    world.service.emulator.setTokens([]);
    expect((await runContainer()).code).toBe(0);
    const { error } = await world.sandbox.invoke(ANSWER);
    expect(error).toMatchObject({ name: "TokenRefused", message: expect.stringMatching(/token/) });
    expect((await world.sandbox.invoke(RUN)).error?.name).toBe("TokenRefused");
  });

  test("has no answer without a task", async () => {
    const { error } = await world.sandbox.invoke({ ...ANSWER, runId: "another" });
    expect(error).toMatchObject({ name: "Fault", message: expect.stringContaining("the task of run another") });
  });
});

describe("the bundle", () => {
  test("is downloaded with the task's signature, which equals that of AWS's own library", async () => {
    await runContainer({});
    const [headers, ...more] = downloads;
    expect(more).toEqual([]);
    const date = String(headers?.["x-amz-date"]);
    const credentials = {
      accessKeyId: ROLE.AccessKeyId,
      secretAccessKey: ROLE.SecretAccessKey,
      sessionToken: ROLE.Token,
    };
    const sdk = new S3Client({ region: "eu-west-1", credentials });
    const signer = await sdk.config.signer();
    const signed = await signer.sign(
      {
        method: "GET",
        protocol: "http:",
        hostname: "127.0.0.1",
        path: "/assets/bundle.zip",
        query: {},
        headers: {
          host: String(headers?.host),
          "x-amz-content-sha256": createHash("sha256").digest("hex"),
        },
      },
      { signingDate: new Date(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z")) },
    );
    expect(headers?.authorization).toBe(signed.headers["authorization"]);
  });

  test.each([
    ["has been changed", () => tampered(), /the bundle is not the one that was deployed/],
    ["lacks its file", () => zipped(["index.mjs.map"]), /there is no index\.mjs in the bundle/],
    ["is not a ZIP", () => Buffer.from("<Error/>"), /there is no index\.mjs in the bundle/],
    ["is empty", () => Buffer.alloc(0), /there is no index\.mjs in the bundle/],
  ])("that %s is not run", async (_, bytes, message) => {
    served = bytes();
    const { code, output } = await runContainer();
    expect(code).toBe(1);
    expect(output).toMatch(message);
    expect(world.sts.sessions).toEqual([]);
    expect(world.s3.requests).toEqual([]);
  });
});

/** The bundle's ZIP with one additional character in its file. */
function tampered(): Uint8Array {
  const pieces: Uint8Array[] = [];
  const made = new Zip((_, piece) => pieces.push(piece));
  const file = new ZipDeflate("index.mjs");
  made.add(file);
  file.push(Buffer.concat([readFileSync(join(folder, "index.mjs")), Buffer.from(" ")]), true);
  made.end();
  return Buffer.concat(pieces);
}
