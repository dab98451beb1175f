import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { acknowledge } from "../acknowledgements.ts";
import type { StackSettings } from "../settings.ts";
import { ArchiveBucket } from "./archive-bucket.ts";
import { PackBucket } from "./pack-bucket.ts";

/** What holds data and cannot be made again: the archives and packs. Protected from deletion, retained if deleted. */
export class DataStack extends Stack {
  readonly archive: ArchiveBucket;
  /** Null: packs are in the archive's bucket. */
  readonly packs: PackBucket | null;

  constructor(scope: Construct, id: string, settings: StackSettings, props: StackProps = {}) {
    super(scope, id, {
      ...props,
      description: "fillbook: the archives and packs",
      terminationProtection: true,
    });
    this.archive = new ArchiveBucket(this, "Archive", settings);
    acknowledge(this.archive.accessLogs, "AwsSolutions-S1");
    const { packLock: lock } = settings;
    this.packs = lock === null ? null : new PackBucket(this, "Packs", { lock, archive: this.archive, settings });
    new CfnOutput(this, "ArchiveUri", { value: `s3://${this.archive.bucket.bucketName}/${settings.prefix}` });
    if (this.packs !== null) {
      new CfnOutput(this, "PacksUri", { value: this.packs.uri });
    }
  }
}
