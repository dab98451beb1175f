import { Annotations, Match, type Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import type { PackLock } from "../../infra/settings.ts";
import { packResource, packStack } from "./pack-stack.ts";
import { brief, pairs, type Resource, resourcesOf, statementsOf } from "./synth.ts";

const GOVERNANCE: PackLock = { mode: "governance", days: 3650 };
const COMPLIANCE: PackLock = { mode: "compliance", days: 1 };

const bucketOf = (template: Template) => packResource(template, "AWS::S3::Bucket");

describe("the bucket of locked packs", () => {
  test.each([
    ["governance", GOVERNANCE, { Mode: "GOVERNANCE", Days: 3650 }],
    ["compliance", COMPLIANCE, { Mode: "COMPLIANCE", Days: 1 }],
  ])("holds every version for the days of the setting, in %s", (_, lock, retention) => {
    expect(bucketOf(packStack(lock).template).Properties).toMatchObject({
      ObjectLockEnabled: true,
      ObjectLockConfiguration: { ObjectLockEnabled: "Enabled", Rule: { DefaultRetention: retention } },
      VersioningConfiguration: { Status: "Enabled" },
    });
  });

  test("is closed, logged and left behind as the archive is, and keeps its logical id", () => {
    const { template } = packStack(GOVERNANCE);
    const [archive, packs] = ["ArchiveBucket49F1AC64", "PacksBucket"].map(
      (name) => resourcesOf(template, "AWS::S3::Bucket").find(([id]) => id.startsWith(name))?.[1],
    );
    const shared = (bucket: Resource | undefined) => {
      const { PublicAccessBlockConfiguration, OwnershipControls, BucketEncryption } = bucket?.Properties ?? {};
      const { DeletionPolicy, UpdateReplacePolicy } = bucket ?? {};
      return {
        PublicAccessBlockConfiguration,
        OwnershipControls,
        BucketEncryption,
        DeletionPolicy,
        UpdateReplacePolicy,
      };
    };
    expect(shared(packs)).toEqual(shared(archive));
    expect(packs?.DeletionPolicy).toBe("Retain");
    expect(packs?.Properties["LoggingConfiguration"]).toMatchObject({
      DestinationBucketName: { Ref: "ArchiveAccessLogs31F4F9D7" },
      LogFilePrefix: "packs/",
    });
    expect(resourcesOf(template, "AWS::S3::Bucket").map(([id]) => id)).toContain("PacksBucketD74B7A78");
  });

  test("is encrypted with the archive's key, where it has one", () => {
    expect(bucketOf(packStack(GOVERNANCE, "kms").template).Properties["BucketEncryption"]).toMatchObject({
      ServerSideEncryptionConfiguration: [
        {
          BucketKeyEnabled: true,
          ServerSideEncryptionByDefault: {
            SSEAlgorithm: "aws:kms",
            KMSMasterKeyID: { "Fn::GetAtt": ["ArchiveKey3EF5EDE5", "Arn"] },
          },
        },
      ],
    });
  });

  test("no rule ever expires anything in it: only uploads that were never ended go", () => {
    expect(bucketOf(packStack(GOVERNANCE).template).Properties["LifecycleConfiguration"]).toEqual({
      Rules: [{ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: "Enabled" }],
    });
  });

  test("refuses to everybody what the archive refuses for packs, and to hide one; to fillbook, whatever lifts the lock", () => {
    const { template } = packStack(GOVERNANCE);
    const statements = statementsOf(packResource(template, "AWS::S3::BucketPolicy"));
    expect(statements.every(({ Effect, Principal }) => Effect === "Deny" && brief(Principal) === "AWS(*)")).toBe(true);
    const on = (action: string, pattern: string) => `${action} on Arn(PacksBucketD74B7A78)/books/${pattern}`;
    const role = "arn:Ref(AWS::Partition):iam::Ref(AWS::AccountId):role/fillbook-account-Ref(AWS::Region)";
    const when = (condition: unknown) =>
      JSON.parse(JSON.stringify(condition ?? {}), (key, value) => (key === "aws:PrincipalArn" ? brief(value) : value));
    const [, , ...rules] = statements; // the first two want TLS, of every bucket
    expect(rules.map((one) => ({ denied: pairs([one]), when: when(one.Condition) }))).toEqual([
      {
        denied: [on("s3:PutObject", "*/packs/*/*/*")],
        when: { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
      },
      {
        denied: [on("s3:PutObject", "*/packs/*/latest.json")],
        when: {
          Null: { "s3:if-match": "true", "s3:if-none-match": "true" },
          Bool: { "s3:ObjectCreationOperation": "true" },
        },
      },
      { denied: [on("s3:DeleteObject", "*/packs/*")], when: {} },
      {
        denied: [
          "s3:BypassGovernanceRetention",
          "s3:DeleteObjectVersion",
          "s3:PutObjectLegalHold",
          "s3:PutObjectRetention",
        ].map((action) => on(action, "*/packs/*")),
        when: { ArnEquals: { "aws:PrincipalArn": role } },
      },
    ]);
  });

  test("tells its address as fillbook is told it", () => {
    const { stack, packs } = packStack(GOVERNANCE);
    expect(brief(stack.resolve(packs.uri))).toBe("s3://Ref(PacksBucketD74B7A78)/books");
  });

  test("compliance comes by its name alone, and synth says what it means; governance needs no warning", () => {
    const warnings = (lock: PackLock) =>
      Annotations.fromStack(packStack(lock).stack).findWarning("*", Match.anyValue());
    expect(warnings(GOVERNANCE)).toEqual([]);
    const [warning, ...more] = warnings(COMPLIANCE);
    expect(more).toEqual([]);
    expect(String(warning?.entry.data)).toMatch(
      /until its days \(1\) are over, nobody can delete a pack .* neither the owner .* this bucket cannot be emptied/,
    );
  });
});
