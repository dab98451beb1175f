import { Annotations, Duration, Stack } from "aws-cdk-lib";
import type { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Bucket, ObjectLockRetention } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { accountRoleArn } from "../names.ts";
import type { PackLock, StackSettings } from "../settings.ts";
import type { ArchiveBucket } from "./archive-bucket.ts";
import { ABORT_UPLOADS_AFTER, bookBucket, keepPolicy } from "./closed-bucket.ts";
import { type Keys, refuse, refuseBlindWrites, refuseOldLinks, refuseOverwriting } from "./commit-rules.ts";

const PACKS = "*/packs/*";

export interface PackBucketProps {
  readonly lock: PackLock;
  /** Its key encrypts the packs too, and its access logs hold theirs. */
  readonly archive: ArchiveBucket;
  /** `prefix`: before every key, as in the archive. */
  readonly settings: Pick<StackSettings, "prefix" | "page">;
}

/**
 * A bucket for packs alone, in which every version of every object is held for so many days from when it was written (Object Lock). The archive's
 * own bucket stays unlocked: its heads change by the minute and its orphans are collected, and a lock would hold each of them.
 *
 * A locked bucket gets no lifecycle rule that expires anything. One would not break the lock (S3 skips a version until its days are over), but it
 * would delete then what nobody decided to delete; and what it could clear away, former versions of `latest.json`, are some 300 bytes each.
 * Uploads in parts that were never ended are no versions: they are not locked, and are aborted as everywhere.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html#object-lock-managing-lifecycle
 */
export class PackBucket extends Construct {
  readonly bucket: Bucket;
  /** As fillbook is told it: `s3://bucket/prefix`. */
  readonly uri: string;

  constructor(scope: Construct, id: string, { lock, archive, settings }: PackBucketProps) {
    super(scope, id);
    const days = Duration.days(lock.days);
    this.bucket = new Bucket(this, "Bucket", {
      ...bookBucket({ key: archive.key, accessLogs: archive.accessLogs, logPrefix: "packs/" }),
      objectLockEnabled: true,
      objectLockDefaultRetention:
        lock.mode === "compliance" ? ObjectLockRetention.compliance(days) : ObjectLockRetention.governance(days),
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: ABORT_UPLOADS_AFTER }],
    });
    this.uri = `s3://${this.bucket.bucketName}/${settings.prefix}`;
    const keys = { bucket: this.bucket, prefix: settings.prefix };
    for (const statement of [
      ...packPolicy(keys, accountRoleArn(Stack.of(this))),
      ...(settings.page === null ? [] : [refuseOldLinks(keys)]),
    ]) {
      this.bucket.addToResourcePolicy(statement);
    }
    keepPolicy(this.bucket);
    if (lock.mode === "compliance") {
      Annotations.of(this).addWarningV2(
        "fillbook:compliance",
        `packLockMode is compliance: until its days (${lock.days}) are over, nobody can delete a pack or shorten its time, neither the owner of the AWS account nor AWS. So long this bucket cannot be emptied, and is paid for. Governance holds packs too, and can be lifted by who has the right to.`,
      );
    }
  }
}

/**
 * The lock holds versions; the policy keeps what they are called by. A delete without a version would only add a marker, but hide the pack, so nobody
 * may. A version is the lock's own matter: under governance who has s3:BypassGovernanceRetention may delete it, fillbook never, whatever its role
 * is ever allowed.
 */
function packPolicy(keys: Keys, role: string): readonly PolicyStatement[] {
  return [
    refuseOverwriting(keys, ["*/packs/*/*/*"]),
    refuseBlindWrites(keys, ["*/packs/*/latest.json"]),
    refuse(keys, { sid: "PacksAreNeverHidden", actions: ["s3:DeleteObject"], patterns: [PACKS] }),
    refuse(keys, {
      sid: "FillbookNeverLiftsTheLock",
      actions: [
        "s3:DeleteObjectVersion",
        "s3:BypassGovernanceRetention",
        "s3:PutObjectRetention",
        "s3:PutObjectLegalHold",
      ],
      patterns: [PACKS],
      conditions: { ArnEquals: { "aws:PrincipalArn": role } },
    }),
  ];
}
