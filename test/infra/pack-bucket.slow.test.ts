import { describe, expect, test } from "vitest";
import { brief, ofPacks, pairs, statementsOf } from "./synth.ts";

const GOVERNANCE = { packLockDays: "3650" };
const COMPLIANCE = { packLockDays: "1", packLockMode: "compliance", packLockForGood: "1" };

describe("the bucket of locked packs", () => {
  test.each([
    ["governance", GOVERNANCE, { Mode: "GOVERNANCE", Days: 3650 }],
    ["compliance", COMPLIANCE, { Mode: "COMPLIANCE", Days: 1 }],
  ])("locks every version for the days of the setting, in %s", (_, settings, retention) => {
    expect(ofPacks(settings, "AWS::S3::Bucket").Properties).toMatchObject({
      ObjectLockEnabled: true,
      ObjectLockConfiguration: { ObjectLockEnabled: "Enabled", Rule: { DefaultRetention: retention } },
      VersioningConfiguration: { Status: "Enabled" },
    });
  });

  test("denies everybody what the archive denies for packs, and hiding a pack; denies fillbook everything that lifts the lock", () => {
    const statements = statementsOf(ofPacks({ ...GOVERNANCE, prefix: "books" }, "AWS::S3::BucketPolicy"));
    expect(statements.every(({ Effect, Principal }) => Effect === "Deny" && brief(Principal) === "AWS(*)")).toBe(true);
    const on = (action: string, pattern: string) => `${action} on Arn(PacksBucketD74B7A78)/books/${pattern}`;
    const role = "arn:Ref(AWS::Partition):iam::Ref(AWS::AccountId):role/fillbook-account-Ref(AWS::Region)";
    const when = (condition: unknown) =>
      JSON.parse(JSON.stringify(condition ?? {}), (key, value) => (key === "aws:PrincipalArn" ? brief(value) : value));
    const [, , ...rules] = statements; // in every bucket, the first two require TLS
    expect(rules.map((one) => ({ denied: pairs([one]), when: when(one.Condition) }))).toEqual([
      {
        denied: [on("s3:PutObject", "*/packs/*/*.zip"), on("s3:PutObject", "*/packs/*/*/*")],
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
});
