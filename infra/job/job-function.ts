import { Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { allow } from "../allow.ts";
import { bundled, SOURCE_MAPS } from "../bundled.ts";
import type { ArchiveBucket } from "../data/archive-bucket.ts";
import type { PackBucket } from "../data/pack-bucket.ts";
import { accountRoleArn, secretName } from "../names.ts";
import type { StackSettings } from "../settings.ts";
import { AccountRole } from "./account-role.ts";

const FUNCTION_TIMEOUT = Duration.minutes(15);

export interface JobFunctionProps {
  readonly archive: ArchiveBucket;
  readonly packs: PackBucket | null;
  readonly settings: StackSettings;
}

/** The export as a function, for all accounts: its bundle and its log. What it may do is to take on the role of an account. */
export class JobFunction extends Construct {
  readonly fn: NodejsFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, { archive, packs, settings }: JobFunctionProps) {
    super(scope, id);
    this.logGroup = new LogGroup(this, "Log", {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.role = new Role(this, "Role", {
      description: "fillbook: the function",
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    });
    const { role } = new AccountRole(this, "Account", { archive, packs, settings, fn: this.role });
    this.role.addToPolicy(allow("Log", ["logs:CreateLogStream", "logs:PutLogEvents"], [this.logGroup.logGroupArn]));
    this.role.addToPolicy(allow("Accounts", ["sts:AssumeRole", "sts:TagSession"], [accountRoleArn(Stack.of(this))]));
    this.fn = new NodejsFunction(this, "Function", {
      ...bundled("lambda/handler.ts"),
      description: "fillbook: walks and exports an account, one slice an invocation",
      memorySize: 1769, // one whole processor
      timeout: FUNCTION_TIMEOUT,
      ...(settings.reservedConcurrency === null ? {} : { reservedConcurrentExecutions: settings.reservedConcurrency }),
      retryAttempts: 0,
      role: this.role.withoutPolicyUpdates(),
      logGroup: this.logGroup,
      environment: {
        ...(settings.accounts.length === 1 ? { FILLBOOK_ACCOUNT: settings.accounts.join() } : {}),
        FILLBOOK_ACCOUNT_ROLE: role.roleArn,
        FILLBOOK_STORE: `s3://${archive.bucket.bucketName}/${settings.prefix}`,
        ...(packs === null ? {} : { FILLBOOK_PACK_STORE: packs.uri }),
        ...(settings.queryLimitGb === null ? {} : { FILLBOOK_PART_LISTS: "1" }),
        FILLBOOK_ACCOUNT_URL: settings.accountUrl,
        FILLBOOK_MARKET_DATA_URL: settings.marketDataUrl,
        FILLBOOK_TOKEN_SECRET: secretName("{account}"),
        ...(settings.tokenSecrets.size === 0
          ? {}
          : { FILLBOOK_TOKEN_SECRETS: [...settings.tokenSecrets].map((pair) => pair.join("=")).join(",") }),
        FILLBOOK_LOOK_BACK_DAYS: String(settings.lookBackDays),
        ...(settings.maxRps === null ? {} : { FILLBOOK_MAX_RPS: String(settings.maxRps) }),
        NODE_OPTIONS: `${SOURCE_MAPS.NODE_OPTIONS} --max-semi-space-size=16`, // a run takes 300 MB, not 400
      },
    });
  }
}
