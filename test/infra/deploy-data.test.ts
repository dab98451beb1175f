import { describe, expect, test } from "vitest";
import type { Resource, Template } from "../../infra/deploy/assembly.ts";
import { dataAtRisk } from "../../infra/deploy/data-changes.ts";

const KEPT = { DeletionPolicy: "Retain", UpdateReplacePolicy: "Retain" } as const;

const of = (
  Type: string,
  Properties: Readonly<Record<string, unknown>> = {},
  policies: Partial<Resource> = KEPT,
): Resource => ({
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

describe("asks", () => {
  test.each<[string, Resource, Resource | undefined, string]>([
    ["removed, and kept", of(BUCKET), undefined, "is not part of the stack any more: left"],
    ["removed, and not kept", of(BUCKET, {}, {}), undefined, "is not part of the stack any more: deleted"],
    ["another type", of(BUCKET), of("AWS::SQS::Queue"), "becomes a AWS::SQS::Queue: replaced"],
    ["another name", of(BUCKET, { BucketName: "a" }), of(BUCKET, { BucketName: "b" }), "changes BucketName"],
    [
      "a rule that may delete objects",
      of(BUCKET),
      of(BUCKET, { LifecycleConfiguration: {} }),
      "changes LifecycleConfiguration",
    ],
    [
      "versions no longer kept",
      of(BUCKET, { VersioningConfiguration: {} }),
      of(BUCKET),
      "changes VersioningConfiguration",
    ],
    ["a property that nobody here knows", of(BUCKET), of(BUCKET, { Newest: 1 }), "changes Newest"],
    [
      "a secret's name",
      of("AWS::SecretsManager::Secret", { Name: "a" }),
      of("AWS::SecretsManager::Secret"),
      "changes Name",
    ],
    [
      "a secret's value",
      of("AWS::SecretsManager::Secret"),
      of("AWS::SecretsManager::Secret", { GenerateSecretString: {} }),
      "changes GenerateSecretString",
    ],
    ["a key's kind", of("AWS::KMS::Key"), of("AWS::KMS::Key", { KeySpec: "RSA_4096" }), "changes KeySpec"],
    ["a pool of users, removed, and kept", of(POOL), undefined, "is not part of the stack any more: left"],
    [
      "a pool's names",
      of(POOL, { UsernameConfiguration: { CaseSensitive: false } }),
      of(POOL),
      "changes UsernameConfiguration",
    ],
    ["a pool's protection", of(POOL, { DeletionProtection: "ACTIVE" }), of(POOL), "changes DeletionProtection"],
    ["a group's name", of(GROUP, { GroupName: "a" }), of(GROUP, { GroupName: "b" }), "changes GroupName"],
    [
      "logs kept for less long",
      of("AWS::Logs::LogGroup", { RetentionInDays: 400 }),
      of("AWS::Logs::LogGroup", { RetentionInDays: 365 }),
      "changes RetentionInDays",
    ],
    [
      "logs that were kept for ever",
      of("AWS::Logs::LogGroup"),
      of("AWS::Logs::LogGroup", { RetentionInDays: 400 }),
      "changes RetentionInDays",
    ],
    [
      "no longer kept with its stack",
      of(BUCKET),
      of(BUCKET, {}, {}),
      "would be deleted with its stack from now on: unsure",
    ],
  ])("%s", (_, before, after, message) => {
    const [found = "", ...others] = risk(before, after);
    expect(found).toMatch(`S/It ${message}`);
    expect(others).toEqual([]);
  });
});

describe("a lock in compliance mode", () => {
  const locked = (mode: string, days: number) =>
    of(BUCKET, { ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: mode, Days: days } } } });
  const asked = ["S/It will hold what is put in it by a lock in compliance mode: locked"];

  test.each<[string, Resource | undefined, Resource, readonly string[]]>([
    ["asks before it begins", undefined, locked("COMPLIANCE", 30), asked],
    ["asks in place of one that can be lifted", locked("GOVERNANCE", 30), locked("COMPLIANCE", 30), asked],
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
    [
      "logs kept for longer, or for ever",
      of("AWS::Logs::LogGroup", { RetentionInDays: 365 }),
      of("AWS::Logs::LogGroup"),
    ],
    [
      "a pool's password rules, and its second factor",
      of(POOL, { Policies: 1 }),
      of(POOL, { Policies: 2, MfaConfiguration: "ON" }),
    ],
    ["what a group is described as", of(GROUP, { Description: "a" }), of(GROUP, { Description: "b" })],
    ["what holds no data", of("AWS::Lambda::Function", {}, {}), undefined],
  ])("%s", (_, before, after) => {
    expect(risk(before, after)).toEqual([]);
  });

  test("a stack that is not synthesised any more: it is not touched", () => {
    expect(dataAtRisk(new Map([["S", { Resources: { It: of(BUCKET) } }]]), new Map())).toEqual([]);
  });
});
