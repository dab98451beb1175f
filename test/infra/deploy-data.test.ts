import { describe, expect, test } from "vitest";
import type { Resource, Template } from "../../infra/deploy/assembly.ts";
import { dataAtRisk } from "../../infra/deploy/data-changes.ts";

const KEPT = { DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" } as const;

type Properties = Readonly<Record<string, unknown>>;

const of = (Type: string, Properties: Properties = {}, policies: Partial<Resource> = KEPT): Resource => ({
  Type,
  Properties,
  ...policies,
});

function risk(before: Resource | undefined, after: Resource | undefined) {
  const stack = (resource: Resource | undefined) =>
    new Map<string, Template>([["S", { Resources: resource === undefined ? {} : { It: resource } }]]);
  return dataAtRisk(stack(before), stack(after)).map(({ name, why, fate }) => `${name} ${why}: ${fate}`);
}

const BUCKET = "AWS::S3::Bucket";
const POOL = "AWS::Cognito::UserPool";
const GROUP = "AWS::Cognito::UserPoolGroup";
const SECRET = "AWS::SecretsManager::Secret";
const LOGS = "AWS::Logs::LogGroup";

describe("asks", () => {
  test.each<[string, Resource, Resource | undefined, string]>([
    ["removed, and kept", of(BUCKET), undefined, "is no longer part of the stack: left"],
    ["removed, and not kept", of(BUCKET, {}, {}), undefined, "is no longer part of the stack: deleted"],
    ["another type", of(BUCKET), of("AWS::SQS::Queue"), "becomes a AWS::SQS::Queue: replaced"],
    ["a pool of users, removed, and kept", of(POOL), undefined, "is no longer part of the stack: left"],
    [
      "no longer kept with its stack",
      of(BUCKET),
      of(BUCKET, {}, {}),
      "would from now on be deleted together with its stack: unsure",
    ],
  ])("%s", (_, before, after, message) => {
    expect(risk(before, after)).toEqual([`S/It ${message}`]);
  });

  test.each<[string, string, Properties, Properties, string]>([
    ["another name", BUCKET, { BucketName: "a" }, { BucketName: "b" }, "BucketName"],
    ["a rule that may delete objects", BUCKET, {}, { LifecycleConfiguration: {} }, "LifecycleConfiguration"],
    ["versions no longer kept", BUCKET, { VersioningConfiguration: {} }, {}, "VersioningConfiguration"],
    ["an unknown property", BUCKET, {}, { Newest: 1 }, "Newest"],
    ["a secret's name", SECRET, { Name: "a" }, {}, "Name"],
    ["a secret's value", SECRET, {}, { GenerateSecretString: {} }, "GenerateSecretString"],
    ["a key's kind", "AWS::KMS::Key", {}, { KeySpec: "RSA_4096" }, "KeySpec"],
    ["a pool's names", POOL, { UsernameConfiguration: { CaseSensitive: false } }, {}, "UsernameConfiguration"],
    ["a pool's protection", POOL, { DeletionProtection: "ACTIVE" }, {}, "DeletionProtection"],
    ["a group's name", GROUP, { GroupName: "a" }, { GroupName: "b" }, "GroupName"],
    ["logs kept for a shorter time", LOGS, { RetentionInDays: 400 }, { RetentionInDays: 365 }, "RetentionInDays"],
    ["logs that were kept for ever", LOGS, {}, { RetentionInDays: 400 }, "RetentionInDays"],
  ])("%s", (_, type, before, after, property) => {
    expect(risk(of(type, before), of(type, after))).toEqual([
      `S/It changes ${property}, which may replace it or delete its data: unsure`,
    ]);
  });
});

describe("a lock in compliance mode", () => {
  const locked = (mode: string, days: number) =>
    of(BUCKET, { ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: mode, Days: days } } } });
  const asked = ["S/It will lock what is put in it, in compliance mode: locked"];

  test.each<[string, Resource | undefined, Resource, readonly string[]]>([
    ["asks before it begins", undefined, locked("COMPLIANCE", 30), asked],
    ["asks when it replaces a lock that can be lifted", locked("GOVERNANCE", 30), locked("COMPLIANCE", 30), asked],
    ["asks when it changes", locked("COMPLIANCE", 30), locked("COMPLIANCE", 60), asked],
    ["asks once", locked("COMPLIANCE", 30), locked("COMPLIANCE", 30), []],
    ["is not governance", undefined, locked("GOVERNANCE", 30), []],
  ])("%s", (_, before, after, found) => {
    expect(risk(before, after)).toEqual(found);
  });
});

describe("does not ask", () => {
  test.each<[string, Resource | undefined, Resource | undefined]>([
    ["the same", of(BUCKET, { BucketName: "a", Tags: [1] }), of(BUCKET, { Tags: [1], BucketName: "a" })],
    ["new", undefined, of(BUCKET)],
    ["another encryption", of(BUCKET), of(BUCKET, { BucketEncryption: {} })],
    ["a key's policy", of("AWS::KMS::Key", { KeyPolicy: 1 }), of("AWS::KMS::Key", { KeyPolicy: 2 })],
    ["logs kept for longer, or for ever", of(LOGS, { RetentionInDays: 365 }), of(LOGS)],
    [
      "a pool's password rules, and its second factor",
      of(POOL, { Policies: 1 }),
      of(POOL, { Policies: 2, MfaConfiguration: "ON" }),
    ],
    ["a group's description", of(GROUP, { Description: "a" }), of(GROUP, { Description: "b" })],
    ["a resource without data", of("AWS::Lambda::Function", {}, {}), undefined],
  ])("%s", (_, before, after) => {
    expect(risk(before, after)).toEqual([]);
  });

  test("about a stack that is no longer synthesised, because it is not changed", () => {
    expect(dataAtRisk(new Map([["S", { Resources: { It: of(BUCKET) } }]]), new Map())).toEqual([]);
  });
});
