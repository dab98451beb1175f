import { describe, expect, test } from "vitest";
import { brief, pairs, type Resource, resourcesOf, statementsOf, templates } from "./synth.ts";

const EVERYTHING = ["s3:* on Arn(BUCKET)", "s3:* on Arn(BUCKET)/*"];

describe("the data stack", () => {
  test("keeps its logical ids: CloudFormation replaces what is renamed, and a replaced bucket is an empty one", () => {
    const { data } = templates({ packLockDays: "30", encryption: "kms" });
    const stateful = resourcesOf(data).filter(([, { Type }]) => /::(?:Bucket|Secret|Key)$/.test(Type));
    expect(Object.fromEntries(stateful.map(([id, { Type }]) => [id, Type]))).toEqual({
      ArchiveAccessLogs31F4F9D7: "AWS::S3::Bucket",
      ArchiveBucket49F1AC64: "AWS::S3::Bucket",
      ArchiveKey3EF5EDE5: "AWS::KMS::Key",
      PacksBucketD74B7A78: "AWS::S3::Bucket",
    });
  });

  test("closes all buckets to the public and to other owners", () => {
    const buckets = resourcesOf(templates({ packLockDays: "30" }).data, "AWS::S3::Bucket");
    expect(buckets).toHaveLength(3);
    for (const [, bucket] of buckets) {
      expect(bucket.Properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } }],
        },
      });
    }
  });

  test("encrypts the archive and locked packs with one rotating key if the settings say so", () => {
    const { data } = templates({ packLockDays: "30", encryption: "kms" });
    data.hasResourceProperties("AWS::KMS::Key", { EnableKeyRotation: true });
    const encrypted = resourcesOf(data, "AWS::S3::Bucket").flatMap(([id, { Properties }]) => {
      const { ServerSideEncryptionConfiguration: rules } = Properties["BucketEncryption"] as Resource["Properties"];
      return id.startsWith("ArchiveAccessLogs") ? [] : [rules];
    });
    const key = { SSEAlgorithm: "aws:kms", KMSMasterKeyID: { "Fn::GetAtt": ["ArchiveKey3EF5EDE5", "Arn"] } };
    const rules = [{ BucketKeyEnabled: true, ServerSideEncryptionByDefault: key }];
    expect(encrypted).toEqual([rules, rules]);
  });

  test("denies everybody access without TLS or with old TLS, unconditional writes, overwriting immutable objects, and deleting heads and packs", () => {
    const policy = resourcesOf(templates().data, "AWS::S3::BucketPolicy").find(([id]) =>
      id.startsWith("ArchiveBucket"),
    );
    const statements = policy === undefined ? [] : statementsOf(policy[1]);
    const keys = (...patterns: string[]) => patterns.map((pattern) => `Arn(ArchiveBucket49F1AC64)/fillbook/${pattern}`);
    const table = statements.map((statement) => ({
      denied: pairs([statement]),
      when: statement.Condition,
    }));
    expect(statements.every(({ Effect, Principal }) => Effect === "Deny" && brief(Principal) === "AWS(*)")).toBe(true);
    const all = EVERYTHING.map((pair) => pair.replace("BUCKET", "ArchiveBucket49F1AC64"));
    expect(table).toEqual([
      { denied: all, when: { Bool: { "aws:SecureTransport": "false" } } },
      { denied: all, when: { NumericLessThan: { "s3:TlsVersion": 1.2 } } },
      {
        denied: keys(
          "*/contracts/*",
          "*/downloads/*/*",
          "*/fills/month=*",
          "*/manifests/*",
          "*/packs/*/*.zip",
          "*/packs/*/*/*",
          "*/readings/*",
          "*/restatements/*",
          "*/unfiled/*",
        ).map((key) => `s3:PutObject on ${key}`),
        when: { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
      },
      {
        denied: keys("*/head.json", "*/packs/*/latest.json", "table/account=*").map((key) => `s3:PutObject on ${key}`),
        when: {
          Null: { "s3:if-match": "true", "s3:if-none-match": "true" },
          Bool: { "s3:ObjectCreationOperation": "true" },
        },
      },
      {
        denied: ["s3:DeleteObject", "s3:DeleteObjectVersion"].flatMap((action) =>
          keys("*/contracts/*", "*/head.json", "*/packs/*").map((key) => `${action} on ${key}`),
        ),
        when: undefined,
      },
    ]);
  });
});
