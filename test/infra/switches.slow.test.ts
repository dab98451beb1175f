import { describe, expect, test } from "vitest";
import { resourcesOf, statementsOf, templates } from "./synth.ts";

type Settings = Readonly<Record<string, string>>;

const LOCKED = { packLockDays: "30" };
const UNLOCKED = { packLockDays: "0" };
const KMS = { encryption: "kms" };
const AFTER_KMS = { encryption: "s3-after-kms" };

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
