import { Duration, RemovalPolicy } from "aws-cdk-lib";
import type { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Bucket, BucketEncryption } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { StackSettings } from "../settings.ts";
import { ABORT_UPLOADS_AFTER, bookBucket, closedBucket, keepPolicy } from "./closed-bucket.ts";
import { type Keys, refuse, refuseBlindWrites, refuseOldLinks, refuseOverwriting } from "./commit-rules.ts";

const KEEP_OLD_VERSIONS = Duration.days(30);
const KEEP_ACCESS_LOGS = Duration.days(400);

/** The bucket of the archives and packs of all accounts, with the one that its access is logged to. Both outlive their stack. */
export class ArchiveBucket extends Construct {
  readonly bucket: Bucket;
  readonly accessLogs: Bucket;
  /** The key that encrypts the archive, where the settings ask for one. */
  readonly key: Key | null;

  constructor(scope: Construct, id: string, settings: Pick<StackSettings, "prefix" | "encryption" | "page">) {
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
      ...bookBucket({ key: this.key, accessLogs: this.accessLogs, logPrefix: "archive/" }),
      lifecycleRules: [
        {
          abortIncompleteMultipartUploadAfter: ABORT_UPLOADS_AFTER,
          noncurrentVersionExpiration: KEEP_OLD_VERSIONS,
          expiredObjectDeleteMarker: true,
        },
      ],
    });
    const keys = { bucket: this.bucket, prefix: settings.prefix };
    for (const statement of [...archivePolicy(keys), ...(settings.page === null ? [] : [refuseOldLinks(keys)])]) {
      this.bucket.addToResourcePolicy(statement);
    }
    keepPolicy(this.bucket);
    keepPolicy(this.accessLogs);
  }
}

/** What the user puts into `inputs/` is his own; all else obeys the commit protocol, and neither the heads nor a pack can be deleted. */
function archivePolicy(keys: Keys): readonly PolicyStatement[] {
  return [
    refuseOverwriting(keys, [
      "*/manifests/*",
      "*/index/*",
      "*/fills/*",
      "*/pages/*",
      "*/restatements/*",
      "*/contracts/*",
      "*/packs/*/*/*",
      "*/downloads/*/*",
      "*/zips/*/*",
    ]),
    refuseBlindWrites(keys, ["*/head.json", "*/packs/*/latest.json", "*/table/*"]),
    refuse(keys, {
      sid: "HeadsAndPacksAreNeverDeleted",
      actions: ["s3:DeleteObject", "s3:DeleteObjectVersion"],
      patterns: ["*/head.json", "*/contracts/*", "*/packs/*"],
    }),
  ];
}
