import { GetObjectCommand } from "@aws-sdk/client-s3";
import { GetSecretValueCommand, PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, expect, test } from "vitest";
import { namesOf } from "../../infra/names.ts";
import { makeHistory } from "../emulator/history.ts";
import { deploy } from "./cdk.ts";
import { type Clients, freshCloud, outputOf } from "./cloud.ts";
import type { CloudPlace } from "./place.ts";
import { endOfRun, SUCCEEDED, startRun } from "./runs.ts";
import { openService, type Service } from "./service.ts";
import { functionClients, sessionClients } from "./sessions.ts";
import { compareArchive, type Place, placeIn, SAME } from "./truth.ts";

/**
 * Production and staging in one AWS account and region. Each has an account named main, which belongs to a
 * different trader at the service.
 */

const RANGE = { from: Date.UTC(2025, 5, 1), to: Date.UTC(2025, 7, 1) };
const PRODUCTION = "fillbook";
const STAGING = "fillbook-staging";
const FILLS = { [PRODUCTION]: 400, [STAGING]: 150 } as const;
const MAIN = [{ Key: "account", Value: "main" }];

let service: Service;
let place: CloudPlace;
let owner: Clients;
const archives = new Map<string, Place>();

const stack = (deployment: string, which: "dataStack" | "jobStack") => namesOf(deployment)[which];

beforeAll(async () => {
  service = await openService({
    [PRODUCTION]: makeHistory({ seed: 51, fills: FILLS[PRODUCTION], ...RANGE }),
    [STAGING]: makeHistory({ seed: 52, fills: FILLS[STAGING], ...RANGE }),
  });
  ({ place, owner } = await freshCloud());
  for (const deployment of [PRODUCTION, STAGING]) {
    await deploy(place, { settings: { deployment, page: "on" }, service });
    const archive = await outputOf(owner, stack(deployment, "dataStack"), "ArchiveUri");
    archives.set(deployment, placeIn(owner.s3, archive, "main"));
    const SecretString = JSON.stringify({ token: service.books.get(deployment)?.token });
    await owner.secrets.send(new PutSecretValueCommand({ SecretId: `${deployment}/main`, SecretString }));
  }
});
afterAll(() => service.close());

test.each([PRODUCTION, STAGING] as const)("%s walks its own account into its own archive", async (deployment) => {
  const machine = await outputOf(owner, stack(deployment, "jobStack"), "MachineArn");
  const run = await startRun(owner, machine, { action: "sync" });
  expect(await endOfRun(owner, run, 120_000)).toMatchObject(SUCCEEDED);
  const [archive, book] = [archives.get(deployment), service.books.get(deployment)];
  if (archive === undefined || book === undefined) {
    throw new Error(`${deployment} was not deployed`);
  }
  expect(await compareArchive(archive, book.emulator)).toEqual({ rows: FILLS[deployment], ...SAME });
});

test.each([
  [PRODUCTION, STAGING],
  [STAGING, PRODUCTION],
])(
  "the function of %s assumes its own role, which reaches its own token and archive, and nothing of %s",
  async (one, other) => {
    const fn = await outputOf(owner, stack(one, "jobStack"), "FunctionName");
    const own = await functionClients(place, owner, fn);
    await expect(sessionClients(place, own, MAIN, other)).rejects.toThrow(/not authorized/);
    const session = await sessionClients(place, own, MAIN, one);
    const secret = (deployment: string) =>
      session.secrets.send(new GetSecretValueCommand({ SecretId: `${deployment}/main` }));
    const head = (deployment: string) => {
      const { bucket, prefix } = archives.get(deployment) ?? { bucket: "", prefix: "" };
      return session.s3.send(new GetObjectCommand({ Bucket: bucket, Key: `${prefix}head.json` }));
    };
    await expect(secret(one)).resolves.toBeDefined();
    await expect(head(one)).resolves.toBeDefined();
    await expect(secret(other)).rejects.toThrow(/not authorized/);
    await expect(head(other)).rejects.toMatchObject({ name: "AccessDenied" });
  },
);
