import { Duration, RemovalPolicy } from "aws-cdk-lib";
import type { Key } from "aws-cdk-lib/aws-kms";
import {
  BlockPublicAccess,
  type Bucket,
  BucketEncryption,
  type BucketProps,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";

export const ABORT_UPLOADS_AFTER = Duration.days(1);

/** A bucket that is never public, belongs to one owner, speaks TLS only, and stays behind when its stack is deleted. */
export function closedBucket(): BucketProps {
  return {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    removalPolicy: RemovalPolicy.RETAIN,
  };
}

export interface BookBucketProps {
  /** Null: S3's own. */
  readonly key: Key | null;
  readonly accessLogs: Bucket;
  /** Where in `accessLogs` its access is logged. */
  readonly logPrefix: string;
}

/** A closed bucket of what fillbook writes: each object keeps its versions, and each access is logged. */
export function bookBucket({ key, accessLogs, logPrefix }: BookBucketProps): BucketProps {
  return {
    ...closedBucket(),
    ...(key === null
      ? { encryption: BucketEncryption.S3_MANAGED }
      : { encryption: BucketEncryption.KMS, encryptionKey: key, bucketKeyEnabled: true }),
    versioned: true,
    serverAccessLogsBucket: accessLogs,
    serverAccessLogsPrefix: logPrefix,
  };
}

/** Keeps a bucket's policy as long as the bucket: what stays behind without it would refuse nothing any more. To be called when it has its statements. */
export function keepPolicy({ policy }: Bucket): void {
  policy?.applyRemovalPolicy(RemovalPolicy.RETAIN);
}
