import { CfnOutput, Stack } from "aws-cdk-lib";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import type { Construct } from "constructs";
import type { StackSettings } from "../settings.ts";
import { type ArchiveBucket, archiveBucket, packBucket } from "./buckets.ts";

/**
 * Everything that holds data and cannot be made again: the archives and packs. Protected from deletion;
 * retained if deleted.
 */
export class DataStack extends Stack {
  readonly archive: ArchiveBucket;
  /** Null: packs are kept in the archive's bucket. */
  readonly prefix: string;
  readonly packs: IBucket | null;
  /** The environment variables that tell a function where the stores are. */
  readonly stores: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, settings: StackSettings) {
    super(scope, id, { description: "fillbook: the archives and packs", terminationProtection: true });
    const { packLock: lock, prefix } = settings;
    this.prefix = prefix;
    this.archive = archiveBucket(this, "Archive", settings);
    this.packs = lock === null ? null : packBucket(this, "Packs", { archive: this.archive, lock, settings });
    const archiveUri = `s3://${this.archive.bucket.bucketName}/${prefix}`;
    this.stores = { FILLBOOK_STORE: archiveUri };
    new CfnOutput(this, "ArchiveUri", { value: archiveUri });
    if (this.packs !== null) {
      const packsUri = `s3://${this.packs.bucketName}/${prefix}`;
      this.stores = { ...this.stores, FILLBOOK_PACK_STORE: packsUri };
      new CfnOutput(this, "PacksUri", { value: packsUri });
    }
  }
}
