import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { acknowledge } from "../acknowledgements.ts";
import type { StackSettings } from "../settings.ts";
import { ArchiveBucket } from "./archive-bucket.ts";

/** What holds data and cannot be made again: the archives and packs. Protected from deletion, retained if deleted. */
export class DataStack extends Stack {
  readonly archive: ArchiveBucket;

  constructor(scope: Construct, id: string, settings: StackSettings, props: StackProps = {}) {
    super(scope, id, {
      ...props,
      description: "fillbook: the archives and packs",
      terminationProtection: true,
    });
    this.archive = new ArchiveBucket(this, "Archive", settings);
    acknowledge(this.archive.accessLogs, "AwsSolutions-S1");
    new CfnOutput(this, "ArchiveUri", { value: `s3://${this.archive.bucket.bucketName}/${settings.prefix}` });
  }
}
