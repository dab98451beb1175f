import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { BlockPublicAccess, Bucket, BucketEncryption, type BucketProps, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { StackSettings } from "./settings.ts";

const ABORT_UPLOADS_AFTER = Duration.days(1);
const KEEP_OLD_VERSIONS = Duration.days(30);
const KEEP_ACCESS_LOGS = Duration.days(400);

/** The bucket of the archives and packs of all accounts, with the one that its access is logged to. Both outlive their stack. */
export class ArchiveBucket extends Construct {
  readonly bucket: Bucket;
  readonly accessLogs: Bucket;
  /** The key that encrypts the archive, where the settings ask for one. */
  readonly key: Key | null;

  constructor(scope: Construct, id: string, settings: Pick<StackSettings, "prefix" | "encryption">) {
    super(scope, id);
    this.key =
      settings.encryption === "kms"
        ? new Key(this, "Key", {
            description: "fillbook: encrypts the archive",
            enableKeyRotation: true,
            removalPolicy: RemovalPolicy.RETAIN,
          })
        : null;
    this.accessLogs = new Bucket(this, "AccessLogs", {
      ...closedBucket(),
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ expiration: KEEP_ACCESS_LOGS, abortIncompleteMultipartUploadAfter: ABORT_UPLOADS_AFTER }],
    });
    this.bucket = new Bucket(this, "Bucket", {
      ...closedBucket(),
      ...(this.key === null
        ? { encryption: BucketEncryption.S3_MANAGED }
        : { encryption: BucketEncryption.KMS, encryptionKey: this.key, bucketKeyEnabled: true }),
      versioned: true,
      serverAccessLogsBucket: this.accessLogs,
      serverAccessLogsPrefix: "archive/",
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: ABORT_UPLOADS_AFTER,
          noncurrentVersionExpiration: KEEP_OLD_VERSIONS,
          expiredObjectDeleteMarker: true,
        },
      ],
    });
    for (const statement of archivePolicy(this.bucket, settings.prefix)) {
      this.bucket.addToResourcePolicy(statement);
    }
  }
}

function closedBucket(): BucketProps {
  return {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    removalPolicy: RemovalPolicy.RETAIN,
  };
}

/**
 * The commit protocol as a rule of the bucket, so that no program and no person can break it by accident: immutable objects are created,
 * never overwritten; the head and `latest.json` change by compare-and-swap only; neither they nor a pack can be deleted. What the user puts into `inputs/`
 * is his own.
 * `s3:ObjectCreationOperation` exempts CreateMultipartUpload and UploadPart, which take no condition; CompleteMultipartUpload does.
 */
function archivePolicy(bucket: Bucket, prefix: string): readonly PolicyStatement[] {
  const keys = (...patterns: string[]) => patterns.map((pattern) => bucket.arnForObjects(`${prefix}/${pattern}`));
  const deny = (sid: string, actions: string[], resources: string[], conditions: Record<string, unknown>) =>
    new PolicyStatement({ sid, effect: Effect.DENY, principals: [new AnyPrincipal()], actions, resources, conditions });
  const creates = { Bool: { "s3:ObjectCreationOperation": "true" } };
  return [
    deny(
      "ImmutableObjectsAreNeverOverwritten",
      ["s3:PutObject"],
      keys(
        "*/manifests/*",
        "*/fills/*",
        "*/pages/*",
        "*/restatements/*",
        "*/contracts/*",
        "*/accounts/*",
        "*/packs/*/*/*",
      ),
      { Null: { "s3:if-none-match": "true" }, ...creates },
    ),
    deny("HeadsChangeByCompareAndSwap", ["s3:PutObject"], keys("*/head.json", "*/packs/*/latest.json"), {
      Null: { "s3:if-match": "true", "s3:if-none-match": "true" },
      ...creates,
    }),
    deny(
      "HeadsAndPacksAreNeverDeleted",
      ["s3:DeleteObject", "s3:DeleteObjectVersion"],
      keys("*/head.json", "*/contracts/*", "*/packs/*"),
      {},
    ),
  ];
}
