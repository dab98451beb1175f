import { CfnOutput, RemovalPolicy, Stack, type StackProps } from "aws-cdk-lib";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import { CfnSecret, type ISecret, Secret } from "aws-cdk-lib/aws-secretsmanager";
import type { Construct } from "constructs";
import { acknowledge } from "./acknowledgements.ts";
import { ArchiveBucket } from "./archive-bucket.ts";
import { functionRoleArn } from "./names.ts";
import type { StackSettings } from "./settings.ts";

/** What holds data and cannot be made again: the bucket and each account's token. Protected from deletion, retained if deleted. */
export class DataStack extends Stack {
  readonly archive: ArchiveBucket;
  /** By account. */
  readonly secrets: ReadonlyMap<string, ISecret>;

  constructor(scope: Construct, id: string, settings: StackSettings, props: StackProps = {}) {
    super(scope, id, {
      ...props,
      description: "fillbook: the archive and the tokens",
      terminationProtection: true,
    });
    this.archive = new ArchiveBucket(this, "Archive", settings);
    acknowledge(this.archive.accessLogs, "AwsSolutions-S1");
    this.secrets = new Map(settings.accounts.map((account) => [account, this.#secret(account)]));
    new CfnOutput(this, "ArchiveUri", { value: `s3://${this.archive.bucket.bucketName}/${settings.prefix}` });
  }

  /** Created without a value: a person puts the token in (RUNBOOK, "The token"), so that none is ever in a template. */
  #secret(account: string): ISecret {
    const secret = new Secret(this, `Token-${account}`, {
      description: `fillbook: the trading service's token of account ${account}, as {"token": "..."}`,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const resource = secret.node.defaultChild;
    if (!(resource instanceof CfnSecret)) {
      throw new TypeError("the secret construct has no CfnSecret to leave empty");
    }
    resource.addPropertyDeletionOverride("GenerateSecretString");
    secret.addToResourcePolicy(
      new PolicyStatement({
        sid: "OnlyTheJobReadsTheToken",
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: ["secretsmanager:GetSecretValue"],
        resources: ["*"],
        conditions: { ArnNotEquals: { "aws:PrincipalArn": functionRoleArn(this, account) } },
      }),
    );
    acknowledge(secret, "AwsSolutions-SMG4");
    new CfnOutput(this, `TokenSecret-${account}`, { value: secret.secretArn });
    return secret;
  }
}
