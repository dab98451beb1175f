import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import process from "node:process";
import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { GetExecutionHistoryCommand } from "@aws-sdk/client-sfn";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { makeHistory } from "../emulator/history.ts";
import { listen, stop } from "../support/loopback.ts";
import { deploy } from "./cdk.ts";
import { type Clients, freshCloud, outputOf, until } from "./cloud.ts";
import { setWaitScale, WAIT_SCALE } from "./ministack.ts";
import type { CloudPlace } from "./place.ts";
import { endOfRun, SUCCEEDED, setSliceSeconds, startRun } from "./runs.ts";
import { openService, type Service } from "./service.ts";
import { functionKeys } from "./sessions.ts";
import { comparePack, jsonOf, type Place, placeIn, SAME } from "./truth.ts";

/**
 * A deployment with `largePacks`. If a slice is too short for a pack, the machine gives the pack to a task,
 * waits for its end and takes its answer. The emulator has no Docker here, so its tasks do nothing until they
 * are stopped, and this test acts as the container. It runs the deployed command with the deployed
 * environment and the function's keys, because the emulator has no keys for a task's role. Then it stops the
 * task.
 */

const MARCH = parsePeriod("month-2025-03");
/** At 76 µs per fill, too many for a slice of three seconds, a fifth of which is reserved. */
const FILLS = 40_000;
const SHORT_SECONDS = 3;
const LAMBDA_SECONDS = 900;
const MINUTE_MS = 60_000;

let service: Service;
let place: CloudPlace;
let owner: Clients;
let archive: Place;
let machine: string;
let fn: string;
/** Serves the credentials and the bundle over plain HTTP. */
let platform: Server;

beforeAll(async () => {
  service = await openService({ main: makeHistory({ seed: 41, fills: FILLS, from: MARCH.from, to: MARCH.to }) });
  ({ place, owner } = await freshCloud());
  await setWaitScale(place, 1);
  await deploy(place, { settings: { largePacks: "on" }, service });
  archive = placeIn(owner.s3, await outputOf(owner, "FillbookData", "ArchiveUri"), "main");
  machine = await outputOf(owner, "FillbookJob", "MachineArn");
  fn = await outputOf(owner, "FillbookJob", "FunctionName");
  const SecretString = JSON.stringify({ token: service.books.get("main")?.token });
  await owner.secrets.send(new PutSecretValueCommand({ SecretId: "fillbook/main", SecretString }));
});
afterAll(async () => {
  await setWaitScale(place, WAIT_SCALE);
  await service.close();
  await stop(platform);
});

type Fields = Readonly<Record<string, unknown>>;

/** Calls ECS over HTTP, because its client is not installed. */
async function ecs(call: string, input: Fields): Promise<Fields> {
  const { hostname, host, protocol, port } = new URL(place.endpoint);
  const { config } = new S3Client({ region: place.region, credentials: place });
  const signer = await config.signer({
    name: "sigv4",
    signingName: "ecs",
    signingRegion: place.region,
    properties: {},
  });
  const body = JSON.stringify(input);
  const { headers } = await signer.sign({
    method: "POST",
    protocol,
    hostname,
    port: Number(port),
    path: "/",
    query: {},
    headers: {
      host,
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": `AmazonEC2ContainerServiceV20141113.${call}`,
    },
    body,
  });
  const answer = await fetch(`${place.endpoint}/`, { method: "POST", headers, body });
  const said: Fields = JSON.parse(await answer.text());
  if (!answer.ok) {
    throw new Error(`${call}: ${JSON.stringify(said)}`);
  }
  return said;
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

interface Container {
  readonly entryPoint: readonly string[];
  readonly command: readonly string[];
  readonly environment: readonly Variable[];
}

/** Runs the command of the task's container, and ends when it ends. */
async function beContainer(cluster: string, task: string): Promise<number | null> {
  const described = await ecs("DescribeTasks", { cluster, tasks: [task] });
  const [found] = described["tasks"] as readonly {
    readonly taskDefinitionArn: string;
    readonly overrides: { readonly containerOverrides: readonly Pick<Container, "environment">[] };
  }[];
  const { taskDefinition } = await ecs("DescribeTaskDefinition", { taskDefinition: found?.taskDefinitionArn });
  const [container] = (taskDefinition as { readonly containerDefinitions: readonly Container[] }).containerDefinitions;
  const variables = [...(container?.environment ?? []), ...(found?.overrides.containerOverrides[0]?.environment ?? [])];
  const environment = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  const [bucket = "", ...key] = new URL(environment["FILLBOOK_BUNDLE"] ?? "").pathname.slice(1).split("/");
  const { Body } = await owner.s3.send(new GetObjectCommand({ Bucket: bucket, Key: key.join("/") }));
  const bundle = await Body?.transformToByteArray();
  const keys = await functionKeys(owner, fn);
  platform = createServer((request, response) => {
    response.end(
      request.url === "/credentials"
        ? JSON.stringify({
            AccessKeyId: keys.accessKeyId,
            SecretAccessKey: keys.secretAccessKey,
            Token: keys.sessionToken,
            Expiration: "2099-01-01T00:00:00Z",
          })
        : bundle,
    );
  });
  const url = await listen(platform);
  const child = spawn(process.execPath, [...(container?.entryPoint.slice(1) ?? []), ...(container?.command ?? [])], {
    env: {
      ...environment,
      FILLBOOK_BUNDLE: `${url}/${bucket}/${key.join("/")}`,
      FILLBOOK_ACCOUNT_URL: service.accountUrl,
      FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
      AWS_REGION: place.region,
      AWS_ENDPOINT_URL: place.endpoint,
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/credentials`,
      NODE_EXTRA_CA_CERTS: place.certificate,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  await ecs("StopTask", { cluster, task, reason: "its container has ended" });
  return code;
}

test("a task makes a pack that no slice has time for, and the execution returns the task's answer", async () => {
  const synced = { action: "sync", from: "2024-12-01", to: "2025-05-01" };
  expect(await endOfRun(owner, await startRun(owner, machine, synced), 5 * MINUTE_MS)).toMatchObject(SUCCEEDED);
  await setSliceSeconds(owner, fn, SHORT_SECONDS);
  const run = await startRun(owner, machine, { action: "export", period: MARCH.name, method: "average" });
  const [cluster = ""] = (await ecs("ListClusters", {}))["clusterArns"] as readonly string[];
  const task = await until("the task", 5 * MINUTE_MS, async () => {
    const { taskArns } = await ecs("ListTasks", { cluster });
    return (taskArns as readonly string[])[0] ?? null;
  });
  await setSliceSeconds(owner, fn, LAMBDA_SECONDS);
  expect(await beContainer(cluster, task)).toBe(0);
  const ended = await endOfRun(owner, run, 2 * MINUTE_MS);
  expect(ended).toMatchObject({ ...SUCCEEDED, output: { complete: true, period: MARCH.name } });
  const { version } = await jsonOf(archive, `packs/${MARCH.name}/latest.json`);
  expect(ended.output?.["dir"]).toBe(`s3://${archive.bucket}/${archive.prefix}packs/${MARCH.name}/${version}`);
  const truth = service.books.get("main")?.emulator;
  expect(truth).toBeDefined();
  if (truth !== undefined) {
    const file = `packs/${MARCH.name}/${version}/fills.parquet`;
    expect(await comparePack(archive, file, truth, { from: MARCH.from, to: MARCH.to })).toEqual({
      rows: FILLS,
      ...SAME,
    });
  }
  // The run is announced: the topic accepts the machine's message.
  const { events = [] } = await owner.states.send(new GetExecutionHistoryCommand({ executionArn: run }));
  const names = events.flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? []);
  expect(names).toContain("Tell");
  expect(events.filter(({ type }) => type === "TaskFailed")).toEqual([]);
}, 900_000);
