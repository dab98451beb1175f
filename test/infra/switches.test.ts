import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import type { Templates } from "../../infra/deploy/assembly.ts";
import { exportsInUse } from "../../infra/deploy/exports-in-use.ts";
import { obstacles } from "../../infra/deploy/obstacles.ts";
import { stackSettings } from "../../infra/settings.ts";
import { allTemplates, resourcesOf, statementsOf, templates } from "./synth.ts";

type Settings = Readonly<Record<string, string>>;

const URLS = { accountUrl: "https://account.example.com", marketDataUrl: "https://market-data.example.com" };
const CERTIFICATE = "arn:aws:acm:us-east-1:111122223333:certificate/1a2b3c4d-0000-4000-8000-000000000000";
const LOCKED = { packLockDays: "30" };
const UNLOCKED = { packLockDays: "0" };
const KMS = { encryption: "kms" };
const AFTER_KMS = { encryption: "s3-after-kms" };

/** Deployments in which each setting differs from its default, alone or with others. */
const DEPLOYMENTS: Readonly<Record<string, Settings>> = {
  defaults: {},
  "two accounts": { accounts: "main,second", accountsAtOnce: "1" },
  "another account, its secret made already": { accounts: "other", tokenSecrets: "other=mine/other" },
  "alarms by mail, no budget": { alarmEmail: "ops@example.com", budgetUsd: "none" },
  "nothing reserved, no table": { reservedConcurrency: "none", queryLimitGb: "none" },
  "another prefix, hour, zone, rate, look-back, logs for longer": {
    prefix: "books",
    scheduleHour: "5",
    zone: "Europe/London",
    maxRps: "5",
    lookBackDays: "0",
    logRetentionDays: "3653",
    runbookUrl: "https://runbook.example.com",
  },
  "packs locked": LOCKED,
  "packs not locked any more": UNLOCKED,
  "a key of our own": KMS,
  "a key of our own once": AFTER_KMS,
  "large packs": { largePacks: "on" },
  page: { page: "on" },
  "page at a name of its own": { page: "on", pageDomain: "books.example.com", pageCertificate: CERTIFICATE },
  everything: {
    ...LOCKED,
    ...KMS,
    page: "on",
    largePacks: "on",
    accounts: "main,second",
    alarmEmail: "ops@example.com",
  },
};

const names = Object.keys(DEPLOYMENTS);
const switches = names.flatMap((from) => names.flatMap((to) => (from === to ? [] : [[from, to] as const])));

/** The obstacles that `npm run deploy` reports for a change from one deployment to another. */
function inTheWay(deployed: Templates, to: Settings): readonly string[] {
  const found = obstacles({
    settings: stackSettings(new App({ context: { ...URLS, ...to } }).node, {}),
    identity: { account: "111122223333", arn: "arn:aws:iam::111122223333:user/ops" },
    region: "eu-west-1",
    stacks: [
      { name: "CDKToolkit", status: "UPDATE_COMPLETE", outputs: new Map([["BootstrapVersion", "99"]]) },
      ...[...deployed.keys()].map((name) => ({ name, status: "UPDATE_COMPLETE", outputs: new Map() })),
    ],
    deployed,
    next: allTemplates(to),
    secrets: [],
    bootstrapVersion: 6,
    concurrency: { limit: 1000, unreserved: 1000 },
    reserved: 0,
  });
  return found.map(({ todo }) => todo);
}

/** Whether a deployment has the resource, judged by its settings. */
const hasPacks = ({ packLockDays = "none" }: Settings) => packLockDays !== "none";
const hasKey = ({ encryption = "s3" }: Settings) => encryption !== "s3";
const hasTable = ({ queryLimitGb = "10" }: Settings) => queryLimitGb !== "none";
const hasPage = ({ page = "off" }: Settings) => page === "on";

test("a change that would remove a resource is an obstacle with advice; every other change keeps all exports in use", () => {
  const without = (to: Settings) => [
    ...(hasPage(to) ? [] : [[hasPage, "-c page=on"] as const]),
    ...(hasTable(to) ? [] : [[hasTable, "-c queryLimitGb=10"] as const]),
    ...(hasPacks(to) ? [] : [[hasPacks, "-c packLockDays=0"] as const]),
    ...(hasKey(to) ? [] : [[hasKey, "-c encryption=s3-after-kms"] as const]),
  ];
  for (const [from, to] of switches) {
    const [before, after] = [DEPLOYMENTS[from] ?? {}, DEPLOYMENTS[to] ?? {}];
    const asked = without(after).flatMap(([has, todo]) => (has(before) ? [todo] : []));
    const leftTables = [...allTemplates(before).keys()].filter(
      (name) => hasTable(after) && name.startsWith("FillbookTables-") && !allTemplates(after).has(name),
    );
    const expected = [
      ...asked,
      ...leftTables
        .sort()
        .slice(-1)
        .map((name) => `delete ${name}`),
    ].sort();
    const said = inTheWay(allTemplates(before), after)
      .map((todo) => /-c \w+=[\w-]+/.exec(todo)?.[0] ?? `delete ${/FillbookTables-\w/.exec(todo)?.[0] ?? todo}`)
      .sort();
    const lost = said.length > 0 ? [] : exportsInUse(allTemplates(before), allTemplates(after));
    expect({ from, to, said, lost }).toEqual({ from, to, said: expected, lost: [] });
  }
});

describe("an option that is switched off", () => {
  test("keeps the bucket of locked packs, which no longer locks new objects", () => {
    const bucket = (settings: Settings) =>
      Object.fromEntries(resourcesOf(templates(settings).data, "AWS::S3::Bucket"))["PacksBucketD74B7A78"]?.Properties;
    expect(bucket(LOCKED)).toMatchObject({ ObjectLockConfiguration: { Rule: { DefaultRetention: { Days: 30 } } } });
    expect(bucket(UNLOCKED)).toEqual({
      ...bucket(LOCKED),
      ObjectLockConfiguration: { ObjectLockEnabled: "Enabled" },
    });
  });

  test("keeps the old key for reading, and S3's own key encrypts new objects", () => {
    const encryption = (settings: Settings) =>
      resourcesOf(templates(settings).data, "AWS::S3::Bucket").map(([, bucket]) =>
        JSON.stringify(bucket.Properties["BucketEncryption"]),
      );
    expect(encryption(AFTER_KMS)).toEqual(encryption({}));
    const key = (settings: Settings) =>
      resourcesOf(templates(settings).job, "AWS::IAM::Policy").flatMap(([, policy]) =>
        statementsOf(policy).filter(({ Sid }) => Sid === "ArchiveKey"),
      );
    expect(key(KMS)).toHaveLength(1);
    expect(key(AFTER_KMS)).toEqual(key(KMS));
  });
});

test("an export in use is an obstacle if its value changes or it is removed", () => {
  const exporter = (outputs: Readonly<Record<string, unknown>>) => ({
    Outputs: Object.fromEntries(
      Object.entries(outputs).map(([name, Value]) => [name, { Value, Export: { Name: `A:${name}` } }]),
    ),
  });
  const user = { Resources: { R: { Type: "T", Properties: { P: { "Fn::ImportValue": "A:Used" } } } } };
  const now = { A: exporter({ Used: { Ref: "X" }, Unused: 1 }), B: user };
  const lost = (outputs: Readonly<Record<string, unknown>>) =>
    exportsInUse(new Map(Object.entries(now)), new Map([["A", exporter(outputs)]]));
  const found = [{ exporter: "A", name: "A:Used", importers: ["B"] }];
  expect(lost({ Unused: 1 })).toEqual(found);
  expect(lost({ Used: { Ref: "Y" } })).toEqual(found);
  expect(lost({ Used: { Ref: "X" } })).toEqual([]);
});
