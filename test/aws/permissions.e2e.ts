import { PutSecretValueCommand } from "@aws-sdk/client-secrets-manager";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { makeHistory } from "../emulator/history.ts";
import { statementsOfRole } from "../infra/policy.ts";
import { templates } from "../infra/synth.ts";
import { deploy } from "./cdk.ts";
import { type Clients, freshCloud, outputOf } from "./cloud.ts";
import type { CloudPlace } from "./place.ts";
import { endOfRun, SUCCEEDED, startRun } from "./runs.ts";
import { openService, type Service } from "./service.ts";
import { functionClients } from "./sessions.ts";
import { recordedEvents, type TrailEvent } from "./trail.ts";

/**
 * The roles as deployed, with their policies in force, against CloudTrail: what each was seen to do is what it is allowed, but for what the emulator does
 * not record. What it denies it does not record either, so each run must also succeed. The whole comparison, with resources and conditions, is
 * test/handler/recorded.system.test.ts and test/infra/recorded.test.ts.
 */

const MARCH = parsePeriod("month-2025-03");

/** Some files of a pack of so many are uploaded in parts. */
const FILLS = 20_000;

/** Allowed, and never in the trail. */
const UNRECORDED: Readonly<Record<string, string>> = {
  "logs:CreateLogStream": "the emulator writes a function's log itself (lambda_svc.py), without a call",
  "logs:PutLogEvents": "the same",
  "s3:DeleteObject": "orphans are a week old when they are deleted, and the emulator's clock is the machine's",
};

/** As the trail says it (app.py, _ct_event_name, from method and path alone) → what it asked for. It calls every DELETE of a key DeleteObject. */
const ACTIONS: Readonly<Record<string, string>> = {
  "s3 ListObjects": "s3:ListBucket",
  "s3 GetObject": "s3:GetObject",
  "s3 HeadObject": "s3:GetObject",
  "s3 PutObject": "s3:PutObject",
  "s3 CreateMultipartUpload": "s3:PutObject",
  "s3 DeleteObject": "s3:AbortMultipartUpload",
  "secretsmanager GetSecretValue": "secretsmanager:GetSecretValue",
  "sts AssumeRole": "sts:AssumeRole",
  "sts TagSession": "sts:TagSession",
};

let service: Service;
let place: CloudPlace;
let owner: Clients;
let events: readonly TrailEvent[];
let ofFunction: string;
let archive: string;

beforeAll(async () => {
  const history = makeHistory({ seed: 41, fills: FILLS, from: MARCH.from, to: MARCH.to });
  service = await openService({ main: history });
  ({ place, owner } = await freshCloud());
  await deploy(place, { service });
  archive = new URL(await outputOf(owner, "FillbookData", "ArchiveUri")).hostname;
  const token = service.books.get("main")?.token;
  await owner.secrets.send(
    new PutSecretValueCommand({ SecretId: "fillbook/main", SecretString: JSON.stringify({ token }) }),
  );
  const machine = await outputOf(owner, "FillbookJob", "MachineArn");
  const pack = { action: "export", account: "main", period: MARCH.name };
  // The second time its files are there: an upload in parts ends in a conflict, and is aborted.
  for (const input of [{ action: "sync", account: "main" }, pack, pack]) {
    const ended = await endOfRun(owner, await startRun(owner, machine, input), 120_000);
    expect(ended).toMatchObject({ ...SUCCEEDED, output: { complete: true } });
  }
  const fn = await functionClients(place, owner, await outputOf(owner, "FillbookJob", "FunctionName"));
  ofFunction = (await fn.sts.config.credentials()).accessKeyId;
  events = await recordedEvents(place);
});
afterAll(() => service.close());

function allowed(role: string): readonly string[] {
  const actions = statementsOfRole(templates().job, role).flatMap(({ Action }) => [Action].flat());
  return [...new Set(actions)].filter((action) => UNRECORDED[action] === undefined).sort();
}

function actionsOf(some: readonly TrailEvent[]): readonly string[] {
  return [...new Set(some.map(({ service: of, name }) => ACTIONS[`${of} ${name}`] ?? `${of} ${name}`))].sort();
}

test("the function's role does what it is allowed: it takes on the account's role, tagged", () => {
  const own = events.filter(({ accessKeyId }) => accessKeyId === ofFunction);
  const tagged = own.filter(({ name, parameters }) => name === "AssumeRole" && "Tags.member.1.Key" in parameters);
  expect(tagged.length).toBeGreaterThan(0);
  expect(tagged.map(({ parameters }) => parameters["Tags.member.1.Value"])).toEqual(tagged.map(() => "main"));
  const tagging = tagged.map((event) => ({ ...event, name: "TagSession" }));
  expect(actionsOf([...own, ...tagging])).toEqual(allowed("JobRole"));
});

test("the sessions of the account's role do what it is allowed, and reach the archive and the token alone", () => {
  const deployers = new Set([place.accessKeyId, ofFunction]);
  const isOurs = ({ accessKeyId, resources }: TrailEvent) => !deployers.has(accessKeyId) && resources[0] === archive;
  const keys = new Set(events.filter(isOurs).map(({ accessKeyId }) => accessKeyId));
  expect(keys.size).toBeGreaterThan(0);
  const readers = events.filter(({ name, accessKeyId }) => name === "GetSecretValue" && !deployers.has(accessKeyId));
  const own = [...events.filter(({ accessKeyId }) => keys.has(accessKeyId)), ...readers];
  expect(actionsOf(own)).toEqual(allowed("JobAccountRole"));
  for (const { service: of, resources, parameters } of own) {
    if (of === "s3") {
      expect(resources[0]).toBe(archive);
      expect(resources[1] ?? "fillbook/main/").toMatch(/^fillbook\/main\//);
    } else {
      expect(parameters["SecretId"]).toBe("fillbook/main");
    }
  }
});
