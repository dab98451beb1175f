import { ArnFormat, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { accountList } from "../account-list.ts";
import { acknowledge } from "../acknowledgements.ts";
import { allow } from "../allow.ts";
import { bundled, SOURCE_MAPS } from "../bundled.ts";
import type { ArchiveBucket } from "../data/archive-bucket.ts";
import type { PackBucket } from "../data/pack-bucket.ts";
import { MACHINE, pageRoleArn } from "../names.ts";
import type { StackSettings } from "../settings.ts";
import { PageRole } from "./page-role.ts";

/** An HTTP API waits for 30 s. */
const TIMEOUT = Duration.seconds(29);

export interface PageFunctionProps {
  readonly archive: ArchiveBucket;
  readonly packs: PackBucket | null;
  readonly settings: StackSettings;
  /** Of the page: `https://host`. */
  readonly origin: string;
  readonly signIn: { readonly url: string; readonly clientId: string };
}

/** The page as a function, for all accounts and users. What it may do by itself is to start runs and to look at them; all else it does for one account. */
export class PageFunction extends Construct {
  readonly fn: NodejsFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, { archive, packs, settings, origin, signIn }: PageFunctionProps) {
    super(scope, id);
    this.logGroup = new LogGroup(this, "Log", {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const own = new Role(this, "Role", {
      description: "fillbook: the page's function",
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    });
    const { role } = new PageRole(this, "Account", { archive, packs, settings, fn: own });
    const list = accountList(this, settings.accounts);
    const states = (resource: string, resourceName: string) =>
      Stack.of(this).formatArn({
        service: "states",
        resource,
        resourceName,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      });
    const machine = states("stateMachine", MACHINE);
    for (const statement of [
      allow("Log", ["logs:CreateLogStream", "logs:PutLogEvents"], [this.logGroup.logGroupArn]),
      allow("Accounts", ["sts:AssumeRole", "sts:TagSession"], [pageRoleArn(Stack.of(this))]),
      allow("AccountList", ["s3:GetObject"], [list.bucket.arnForObjects(list.s3ObjectKey)]),
      allow("Jobs", ["states:StartExecution", "states:ListExecutions"], [machine]),
      allow("JobStates", ["states:DescribeExecution"], [states("execution", `${MACHINE}:*`)]),
    ]) {
      own.addToPolicy(statement);
    }
    acknowledge(
      own,
      "AwsSolutions-IAM5",
      `Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${MACHINE}:*`,
    );
    this.fn = new NodejsFunction(this, "Function", {
      ...bundled("lambda/page-handler.ts"),
      description: "fillbook: the accountant's page",
      memorySize: 512,
      timeout: TIMEOUT,
      role: own.withoutPolicyUpdates(),
      logGroup: this.logGroup,
      environment: {
        FILLBOOK_STORE: `s3://${archive.bucket.bucketName}/${settings.prefix}`,
        ...(packs === null ? {} : { FILLBOOK_PACK_STORE: packs.uri }),
        FILLBOOK_PAGE_ORIGIN: origin,
        FILLBOOK_PAGE_ROLE: role.roleArn,
        FILLBOOK_SIGN_IN_URL: signIn.url,
        FILLBOOK_SIGN_IN_CLIENT: signIn.clientId,
        FILLBOOK_MACHINE: machine,
        FILLBOOK_ACCOUNT_LIST: list.s3ObjectUrl,
        ...SOURCE_MAPS,
      },
    });
  }
}
