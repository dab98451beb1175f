import { Duration, RemovalPolicy } from "aws-cdk-lib";
import type { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  type CfnBucket,
  ObjectLockRetention,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { accept } from "../checks.ts";
import type { PackLock, StackSettings } from "../settings.ts";
import { archivePolicy, packPolicy } from "./commit-rules.ts";

const KEEP_OLD_VERSIONS = Duration.days(30);
const KEEP_ACCESS_LOGS = Duration.days(400);
const ABORT_UPLOADS_AFTER = Duration.days(1);

/** A bucket that is never public, disables ACLs, accepts TLS only, and is kept when its stack is deleted. */
const CLOSED = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  removalPolicy: RemovalPolicy.RETAIN,
} as const satisfies BucketProps;

export interface ArchiveBucket {
  readonly bucket: Bucket;
  /** Receives the access logs of this bucket and of the packs' bucket. */
  readonly accessLogs: Bucket;
  /**
   * The key that encrypts the archive and the packs, or did so in the past: objects that it encrypted always
   * need it. Null: only S3's own keys were used.
   */
  readonly key: Key | null;
  /** True when new objects are encrypted with the key. */
  readonly usesKey: boolean;
}

type Settings = Pick<StackSettings, "prefix" | "encryption" | "page">;

/** The bucket of the archives and packs of all accounts, and the bucket that receives its access log. */
export function archiveBucket(scope: Construct, id: string, settings: Settings): ArchiveBucket {
  const here = new Construct(scope, id);
  const key =
    settings.encryption === "s3"
      ? null
      : new Key(here, "Key", {
          description: "fillbook: encrypts the archive",
          enableKeyRotation: true,
          removalPolicy: RemovalPolicy.RETAIN,
        });
  const usesKey = settings.encryption === "kms";
  const accessLogs = new Bucket(here, "AccessLogs", {
    ...CLOSED,
    encryption: BucketEncryption.S3_MANAGED,
    lifecycleRules: [{ expiration: KEEP_ACCESS_LOGS, abortIncompleteMultipartUploadAfter: ABORT_UPLOADS_AFTER }],
  });
  accept(accessLogs, "S1");
  const bucket = new Bucket(here, "Bucket", {
    ...bookProps({ accessLogs, key, usesKey }, "archive/"),
    lifecycleRules: [
      {
        abortIncompleteMultipartUploadAfter: ABORT_UPLOADS_AFTER,
        noncurrentVersionExpiration: KEEP_OLD_VERSIONS,
        expiredObjectDeleteMarker: true,
      },
    ],
  });
  keepPolicy(bucket, archivePolicy(bucket, settings));
  keepPolicy(accessLogs, []);
  return { bucket, accessLogs, key, usesKey };
}

/**
 * A bucket for packs only. Object Lock holds every version of every object for a number of days after it was
 * written. The archive's own bucket is not locked: its heads change every minute and its orphans are
 * collected, and a lock would keep every old version.
 *
 * A locked bucket gets no lifecycle rule that expires versions. Such a rule could not break the lock (S3
 * skips a version until its days are over), but afterwards it would delete versions that nobody decided to
 * delete. It would save little: former versions of `latest.json` have about 300 bytes each. Unfinished
 * multipart uploads are not versions, so they are not locked; they are aborted here as in the other buckets.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock-managing.html#object-lock-managing-lifecycle
 */
export function packBucket(
  scope: Construct,
  id: string,
  { archive, lock, settings }: { archive: Omit<ArchiveBucket, "bucket">; lock: PackLock; settings: Settings },
): Bucket {
  const here = new Construct(scope, id);
  const bucket = new Bucket(here, "Bucket", {
    ...bookProps(archive, "packs/"),
    objectLockEnabled: true, // for good: S3 has no way back
    ...(lock.days === 0
      ? {}
      : { objectLockDefaultRetention: ObjectLockRetention[lock.mode](Duration.days(lock.days)) }),
    lifecycleRules: [{ abortIncompleteMultipartUploadAfter: ABORT_UPLOADS_AFTER }],
  });
  if (lock.days === 0) {
    // Without a default rule, new objects are not locked.
    // https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObjectLockConfiguration.html
    (bucket.node.defaultChild as CfnBucket).objectLockConfiguration = { objectLockEnabled: "Enabled" };
  }
  keepPolicy(bucket, packPolicy(bucket, settings));
  return bucket;
}

/** A closed bucket that fillbook writes to: it keeps the versions of each object and logs each access. */
function bookProps({ key, usesKey, accessLogs }: Omit<ArchiveBucket, "bucket">, logPrefix: string): BucketProps {
  return {
    ...CLOSED,
    ...(key === null || !usesKey
      ? { encryption: BucketEncryption.S3_MANAGED }
      : { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }),
    versioned: true,
    serverAccessLogsBucket: accessLogs,
    serverAccessLogsPrefix: logPrefix,
  };
}

/**
 * Adds these statements to the bucket's policy and retains the policy with the bucket. Without its policy a
 * retained bucket would refuse nothing.
 */
function keepPolicy(bucket: Bucket, statements: readonly PolicyStatement[]): void {
  for (const statement of statements) {
    bucket.addToResourcePolicy(statement);
  }
  bucket.policy?.applyRemovalPolicy(RemovalPolicy.RETAIN);
}
