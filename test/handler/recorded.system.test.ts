import { beforeEach, expect, test, vi } from "vitest";
import { sha256Of } from "../../lambda/archive/keys.ts";
import { handler } from "../../lambda/handler.ts";
import { ACCOUNT_TAG } from "../../lambda/job/account-role.ts";
import { makeHistory } from "../emulator/history.ts";
import { startEmulator } from "../emulator/server.ts";
import { type Call, changed, environmentIn, statementsOfRole, unmatched } from "../infra/policy.ts";
import { resourcesOf, statementsOf, templates } from "../infra/synth.ts";
import { asFunction, startSecretsDouble, startStsDouble } from "../support/aws-doubles.ts";
import { startS3Double } from "../support/s3-double/server.ts";
import {
  ACCOUNT_ROLE,
  expectDenied,
  expectExact,
  functionCalls,
  keyCalls,
  principals,
  s3Calls,
  VALUES,
} from "./recorded-calls.ts";

/**
 * The function's roles allow exactly what it calls, recorded in scenarios that together use all of its features.
 */

const HISTORY = { seed: 8, fills: 300, from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) };
const TOKENS = ["one", "dHdv"].map((one) => `eyJhbGciOiJub25lIn0.eyJzdWIiOiJidW5kbGUifQ.${one}`);
const SHA = "0".repeat(64);
const RUN = "0".repeat(12);
const LONG_AGO = Date.UTC(2020, 0, 1);

/** Two accounts, a secret of the user's own, a bucket for packs, and a key. */
const SETTINGS = { accounts: "main,other", tokenSecrets: "other=mine/other", packLockDays: "30", encryption: "kms" };

type World = Awaited<ReturnType<typeof openWorld>>;

/** Doubles of everything that the function talks to, and its environment as in the template. */
async function openWorld(settings: Readonly<Record<string, string>>) {
  const service = await startEmulator({ history: makeHistory(HISTORY), tokens: TOKENS.slice(0, 1) });
  const s3 = await startS3Double({ bucket: "archive", others: ["packs"] });
  const secrets = await startSecretsDouble();
  const sts = await startStsDouble();
  const environment = {
    ...environmentIn(templates(settings).job, VALUES),
    FILLBOOK_HURRY: "1",
    FILLBOOK_ACCOUNT_URL: service.accountUrl,
    FILLBOOK_MARKET_DATA_URL: service.marketDataUrl,
    AWS_ENDPOINT_URL: s3.endpoint,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
    AWS_ENDPOINT_URL_STS: sts.endpoint,
  };
  asFunction(environment, [service, s3, secrets, sts]);
  const rotate = (token = "") => {
    service.emulator.setTokens([token]);
    for (const name of ["fillbook/main", "mine/other"]) {
      secrets.secrets.set(name, JSON.stringify({ token }));
    }
  };
  rotate(TOKENS[0]);
  return { service, s3, secrets, sts, rotate };
}

const written: string[] = [];
beforeEach(() => {
  vi.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  return () => vi.restoreAllMocks();
});

function invoke(event: object, awsRequestId = "a-request") {
  return handler(event, { awsRequestId, getRemainingTimeInMillis: () => 900_000 });
}

async function expectComplete(event: object): Promise<void> {
  expect(await invoke(event)).toMatchObject({ complete: true });
}

test.each<[string, Readonly<Record<string, string>>]>([
  ["with one account", {}],
  ["with all options", SETTINGS],
])("%s, the roles allow exactly the recorded calls, and no policy denies them", async (_, settings) => {
  const world = await openWorld(settings);
  await everything(world);
  if ("accounts" in settings) {
    await expectComplete({ action: "sync", account: "other" });
  }
  const { job, tokens } = templates(settings);
  const byFunction = functionCalls(world.sts);
  const byAccount = accountCalls(world);
  const ofKey = "encryption" in settings ? world.s3.requests.flatMap(keyCalls) : [];
  expectExact(statementsOfRole(job, "JobRole"), VALUES, byFunction);
  expectExact(statementsOfRole(job, "JobAccountRole"), VALUES, [...byAccount, ...ofKey]);
  const roles = resourcesOf(job, "AWS::IAM::Role").filter(([id]) => id.startsWith("JobAccountRole"));
  const sessions = byFunction.filter(({ action }) => action.startsWith("sts:"));
  expectExact(
    roles.flatMap(([, role]) => statementsOf(role)),
    VALUES,
    sessions,
  );
  // A session of another account may do none of this.
  const stranger = { [`aws:PrincipalTag/${ACCOUNT_TAG}`]: "stranger" };
  const others = byAccount.map((call) => changed(call, stranger));
  expect(unmatched(statementsOfRole(job, "JobAccountRole"), VALUES, others)).toEqual(others);

  const commits = byAccount.filter(({ action, resource }) => action === "s3:PutObject" && COMMITTED.test(resource));
  const blind = commits.map((call) => changed(call, { "s3:if-match": undefined, "s3:if-none-match": undefined }));
  expectDenied(templates(settings), { none: byAccount, all: blind });

  const [[, ofMain] = []] = tokens.flatMap((token) => resourcesOf(token, "AWS::SecretsManager::ResourcePolicy"));
  const refusals = ofMain === undefined ? [] : statementsOf(ofMain);
  const reads = byAccount.filter(({ resource }) => resource.includes(":secret:fillbook/main-"));
  const person = { "aws:PrincipalArn": "arn:aws:iam::000000000000:role/person" };
  const byOthers = [person, stranger].flatMap((keys) => reads.map((call) => changed(call, keys)));
  expect([reads.length > 0, unmatched(refusals, VALUES, reads)]).toEqual([true, reads]);
  expect(unmatched(refusals, VALUES, byOthers)).toEqual([]);
});

/** What a commit writes. Uploads in parts are conditional only at their completion. */
const COMMITTED = /\/(?:head\.json|manifests\/[^/]+)$/;

/**
 * Calls by sessions of the account's role, with what else a run writes: restatements when fills come late, pages that
 * could not be filed, and large files of a pack in parts, which it aborts if one fails. The scenarios do not write
 * these, but other tests assert them of the archive and of the store.
 */
function accountCalls({ s3, secrets, sts }: World): readonly Call[] {
  const principalOf = principals(sts, ACCOUNT_ROLE);
  const recorded = s3.requests.flatMap((request) => s3Calls(request, principalOf(request.accessKeyId)));
  const writes = recorded.filter(({ action }) => action === "s3:PutObject");
  const manifests = writes.filter(({ resource }) => resource.includes("/manifests/"));
  const rare = ["unfiled", "restatements"].flatMap((folder) =>
    manifests.map((call) => ({ ...call, resource: call.resource.replace("/manifests/", `/${folder}/`) })),
  );
  const aborted = writes
    .filter(({ resource }) => resource.endsWith("/fills.csv"))
    .map((call) => ({ ...call, action: "s3:AbortMultipartUpload" }));
  const asked = secrets.asked.map((id, index) => ({
    action: "secretsmanager:GetSecretValue",
    resource: `arn:aws:secretsmanager:eu-west-1:000000000000:secret:${id}-a1b2c3`,
    context: principalOf(secrets.askedBy[index] ?? ""),
  }));
  return [...recorded, ...rare, ...aborted, ...asked];
}

/** All that the function does for one account. */
async function everything({ service, s3, secrets, rotate }: World): Promise<void> {
  const account = "main";
  const sync = { action: "sync", account, from: "2025-02-25", to: "2025-05-05" };
  // The first sync reads keys that do not exist yet. The second finds nothing new.
  await expectComplete(sync);
  await expectComplete(sync);
  rotate(TOKENS[1]);
  await expectComplete({ ...sync, to: "2025-05-06" });
  // A pack that uses a file of the user.
  const positions = "market,quantity,average_price,as_of,evidence\n*,0,,2025-03-01,\n";
  putText(s3.bucket, `fillbook/${account}/inputs/opening-positions.csv`, positions);
  const pack = { action: "export", account, period: "month-2025-03" };
  await expectComplete(pack);
  // Then all of it is verified, without the token and the service.
  const asked = [secrets.asked.length, service.emulator.log.requests];
  await expectComplete({ action: "verify", account });
  await expectComplete({ action: "verify", account, period: pack.period });
  expect([secrets.asked.length, service.emulator.log.requests]).toEqual(asked);
  // A week later, a sync deletes the orphans.
  await expectComplete({ action: "sync", account });
  plantOrphans(s3, account);
  await expectComplete({ action: "sync", account });
}

/**
 * Writes objects that no head will ever name, and a month of table/ without fills, and moves the last
 * collection back to that long ago.
 */
function plantOrphans({ bucket }: World["s3"], account: string): void {
  const root = `fillbook/${account}`;
  putText(bucket, `fillbook/table/account=${account}/month=2020-01/fills.parquet`, "x");
  const time = "20250301T000000.000Z";
  const head = JSON.parse(bucket.get(`${root}/head.json`).bytes.toString());
  putText(bucket, `${root}/head.json`, JSON.stringify({ ...head, collection: { ...head.collection, at: LONG_AGO } }));
  const empty = JSON.stringify({ account, dataFiles: [], restatements: [] });
  // Of manifests, the two that were current when the week began are kept.
  const manifests = [1, 2, 3].map((seq) => [`manifests/${seq}-${sha256Of(empty)}.json`, empty] as const);
  for (const [key, text] of [
    ...manifests,
    [`fills/month=2025-03/${time}-${time}-${SHA}-${RUN}.ndjson.zst`, "x"] as const,
    [`restatements/${SHA}-${RUN}.ndjson.zst`, "x"] as const,
  ]) {
    putText(bucket, `${root}/${key}`, text);
    bucket.objects.set(`${root}/${key}`, { ...bucket.get(`${root}/${key}`), modifiedMs: LONG_AGO });
  }
}

function putText(bucket: World["s3"]["bucket"], key: string, text: string): void {
  bucket.put(key, Buffer.from(text));
}

test("logs JSON lines that name the run, and metrics for CloudWatch, and never the token; without its role it sends S3 no request", async () => {
  const { service, s3, sts } = await openWorld({});
  sts.refusal = "AccessDenied";
  const refused = { name: "BadSettings", message: expect.stringContaining("FILLBOOK_ACCOUNT_ROLE") };
  await expect(invoke({ action: "sync" })).rejects.toMatchObject(refused);
  expect(s3.requests).toEqual([]);
  sts.refusal = null;
  written.length = 0;
  await expectComplete({ action: "sync", runId: "nightly-1", from: "2025-02-25", to: "2025-05-05" });
  service.emulator.setTokens([]);
  const again = invoke({ action: "sync", from: "2024-01-01" }, "request-2");
  await expect(again).rejects.toMatchObject({ name: "TokenRefused" });
  const lines = written.map((line) => JSON.parse(line));
  for (const line of lines) {
    expect(line).toMatchObject({ time: expect.stringMatching(/Z$/), account: "main", message: expect.any(String) });
  }
  expect(lines.filter((line) => "_aws" in line)).toMatchObject([
    { runId: "nightly-1", FillsAdded: HISTORY.fills, fillsInArchive: HISTORY.fills },
    { requestId: "request-2", Failed: 1, TokenRefused: 1 },
  ]);
  const [first, last] = [{ runId: "nightly-1", requestId: "a-request" }, { requestId: "request-2" }];
  expect(lines[0]).toMatchObject({ level: "INFO", message: "slice begins", ...first });
  expect(lines.at(-2)).toMatchObject({ level: "ERROR", message: "slice failed", error: "TokenRefused", ...last });
  expect(written.join()).not.toMatch(/Bearer|eyJ/);
});
