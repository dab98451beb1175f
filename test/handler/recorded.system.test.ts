import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha256Of } from "../../lambda/archive/keys.ts";
import { ACCOUNT_TAG } from "../../lambda/job/account-role.ts";
import { type Call, changed, EXACT, environmentIn, inexact, statementsOfRole, unmatched } from "../infra/policy.ts";
import { resourcesOf, type Statement, statementsOf, templates } from "../infra/synth.ts";
import { bundleFolder } from "./bundle.ts";
import { recordedCalls, VALUES } from "./recorded-calls.ts";
import { OTHER_TOKEN, openWorld, TOKEN, type World } from "./world.ts";

/**
 * The function's roles allow exactly what the bundle calls, recorded in scenarios that together use all of
 * its features. A statement allows each call, and each action and resource of a statement is needed by a
 * call.
 */

/** Enough fills that some files of a month's pack are uploaded in parts. */
const HISTORY = { fills: 20_000, from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 3, 1) };
const SHA = "0".repeat(64);
const RUN = "0".repeat(12);
const COMPLETE = { answer: { complete: true } };
const LONG_AGO = Date.UTC(2020, 0, 1);

/** Two accounts, a secret of the user's own, a bucket for packs, and a key. */
const SETTINGS = { accounts: "main,other", tokenSecrets: "other=mine/other", packLockDays: "30", encryption: "kms" };

const folder = bundleFolder();

describe.each<[string, Readonly<Record<string, string>>]>([
  ["with one account", {}],
  ["with all options", SETTINGS],
])("%s", (_name, settings) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(folder, {
      history: HISTORY,
      environment: environmentIn(templates(settings).job, VALUES),
      secrets: ["fillbook/main", "mine/other"],
      buckets: ["packs"],
    });
  });
  afterEach(() => world.close());

  test("the roles allow exactly the recorded calls, and no policy denies them", async () => {
    await everything(world, "main");
    if ("accounts" in settings) {
      expect(await world.sandbox.invoke({ action: "sync", account: "other" })).toMatchObject(COMPLETE);
    }
    const { job, data, tokens } = templates(settings);
    const { byFunction, byAccount: recorded, ofKey } = recordedCalls(world);
    const byAccount = [...recorded, ...rareWrites(recorded)];
    const [[, accountRole] = []] = resourcesOf(job, "AWS::IAM::Role").filter(([id]) => id.startsWith("JobAccountRole"));
    for (const [statements, calls] of [
      [statementsOfRole(job, "JobRole"), byFunction],
      [accountRole === undefined ? [] : statementsOf(accountRole), byFunction.filter(({ action }) => isSts(action))],
      [statementsOfRole(job, "JobAccountRole"), [...byAccount, ...("encryption" in settings ? ofKey : [])]],
    ] as const) {
      expect(inexact(statements, VALUES, calls)).toEqual(EXACT);
    }
    // A session of another account may do none of this.
    const others = byAccount.map((call) => changed(call, { [`aws:PrincipalTag/${ACCOUNT_TAG}`]: "stranger" }));
    expect(unmatched(statementsOfRole(job, "JobAccountRole"), VALUES, others)).toEqual(others);

    const ofBuckets = resourcesOf(data, "AWS::S3::BucketPolicy").flatMap(([, policy]) => statementsOf(policy));
    const writes = byAccount.filter(({ action, resource }) => action === "s3:PutObject" && isCommit(resource));
    const blind = writes.map((call) => changed(call, { "s3:if-match": undefined, "s3:if-none-match": undefined }));
    expectDenied(ofBuckets, { none: byAccount, all: blind });

    const [[, ofMain] = []] = tokens.flatMap((token) => resourcesOf(token, "AWS::SecretsManager::ResourcePolicy"));
    const reads = byAccount.filter(({ resource }) => resource.includes(":secret:fillbook/main-"));
    const person = { "aws:PrincipalArn": "arn:aws:iam::000000000000:role/person" };
    const byOthers = [person, { [`aws:PrincipalTag/${ACCOUNT_TAG}`]: "stranger" }].flatMap((keys) =>
      reads.map((call) => changed(call, keys)),
    );
    expectDenied(ofMain === undefined ? [] : statementsOf(ofMain), { none: reads, all: byOthers });
  });
});

/**
 * What else a run writes: restatements when fills come late, and pages that could not be filed. The scenarios
 * may not write these, but other tests assert them of the archive.
 */
function rareWrites(recorded: readonly Call[]): readonly Call[] {
  const manifests = recorded.filter(
    ({ action, resource }) => action === "s3:PutObject" && resource.includes("/manifests/"),
  );
  return ["unfiled", "restatements"].flatMap((folder) =>
    manifests.map((call) => ({ ...call, resource: call.resource.replace("/manifests/", `/${folder}/`) })),
  );
}

function isSts(action: string): boolean {
  return action.startsWith("sts:");
}

/**
 * Whether a commit writes this object. The user's own files are not part of a commit, and uploads in parts
 * are conditional only at their completion.
 */
function isCommit(arn: string): boolean {
  return /\/(?:head\.json|manifests\/[^/]+)$/.test(arn);
}

/** Expects that a resource's policy denies none of the calls in `none`, and each call in `all`. */
function expectDenied(
  refusals: readonly Statement[],
  calls: { readonly none: readonly Call[]; readonly all: readonly Call[] },
): void {
  expect(calls.all).not.toEqual([]);
  expect(unmatched(refusals, VALUES, calls.none)).toEqual(calls.none);
  expect(unmatched(refusals, VALUES, calls.all)).toEqual([]);
}

/** All that the function does for one account, in one sandbox. */
async function everything({ sandbox, service, s3, secrets }: World, account: string): Promise<void> {
  const sync = { action: "sync", account, from: "2025-02-25", to: "2025-05-05" };
  const expectComplete = async (event: object) => {
    expect(await sandbox.invoke(event)).toMatchObject(COMPLETE);
  };
  // The first sync reads keys that do not exist yet. The second finds nothing new.
  await expectComplete(sync);
  await expectComplete(sync);
  // A refused token is read from Secrets Manager again.
  rotate({ service, secrets }, OTHER_TOKEN);
  await expectComplete({ ...sync, to: "2025-05-06" });
  rotate({ service, secrets }, TOKEN);
  // A pack that uses a file of the user, and whose files are uploaded in parts.
  const positions = "market,quantity,average_price,as_of,evidence\n*,0,,2025-03-01,\n";
  putText(s3.bucket, `fillbook/${account}/inputs/opening-positions.csv`, positions);
  const pack = { action: "export", account, period: "month-2025-03" };
  // The first upload fails and is aborted.
  s3.plan = ({ operation }) => (operation === "UploadPart" ? { answer: 403, code: "AccessDenied" } : "ok");
  await sandbox.invoke(pack);
  s3.plan = () => "ok";
  const { answer } = await sandbox.invoke(pack);
  expect({ answer }).toMatchObject(COMPLETE);
  // Then all of it is verified.
  const tokens = secrets.asked.length;
  const requests = service.emulator.log.requests;
  await expectComplete({ action: "verify", account });
  await expectComplete({ action: "verify", account, period: pack.period });
  expect([secrets.asked.length, service.emulator.log.requests]).toEqual([tokens, requests]);
  // A week later, a sync deletes the orphans.
  await expectComplete({ action: "sync", account });
  plantOrphans(s3, account);
  await expectComplete({ action: "sync", account });
}

function rotate({ service, secrets }: Pick<World, "service" | "secrets">, token: string): void {
  service.emulator.setTokens([token]);
  for (const name of secrets.secrets.keys()) {
    secrets.secrets.set(name, JSON.stringify({ token }));
  }
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
  bucket.put(key, { bytes: Buffer.from(text), crc32: undefined }, { ifMatch: undefined, ifNoneMatch: undefined });
}
