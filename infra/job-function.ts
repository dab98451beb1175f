import { join } from "node:path";
import { Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, LoggingFormat, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import { NodejsFunction, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { ISecret } from "aws-cdk-lib/aws-secretsmanager";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledgements.ts";
import type { ArchiveBucket } from "./archive-bucket.ts";
import { functionRoleName } from "./names.ts";
import type { StackSettings } from "./settings.ts";

const ROOT = join(import.meta.dirname, "..");

/** How the bucket's ARN reaches this stack: part of the finding that is acknowledged. */
const ARCHIVE_ARN_EXPORT = "FillbookData:ExportsOutputFnGetAttArchiveBucket49F1AC64Arn3FBD647E";

/** Where orphans are collected (lambda/archive/collect.ts): neither the head nor packs, which the bucket's own policy protects too. */
const COLLECTED_FOLDERS = ["manifests", "fills", "pages", "restatements"] as const;

const FUNCTION_TIMEOUT = Duration.minutes(15);

export interface JobFunctionProps {
  readonly account: string;
  readonly archive: ArchiveBucket;
  readonly secret: ISecret;
  readonly settings: StackSettings;
}

/** One account's export as a function: its bundle, its log and a role that can reach that account's archive and token and nothing else. */
export class JobFunction extends Construct {
  readonly fn: NodejsFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: JobFunctionProps) {
    super(scope, id);
    const { account, archive, secret, settings } = props;
    this.logGroup = new LogGroup(this, "Log", {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    this.role = new Role(this, "Role", {
      roleName: functionRoleName(account),
      description: `fillbook: the export of account ${account}`,
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
    });
    for (const statement of this.#permissions(props)) {
      this.role.addToPolicy(statement);
    }
    this.fn = new NodejsFunction(this, "Function", {
      description: `fillbook: walks and exports account ${account}, one slice an invocation`,
      entry: join(ROOT, "lambda/handler.ts"),
      handler: "handler",
      projectRoot: ROOT,
      depsLockFilePath: join(ROOT, "package-lock.json"),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 1769, // one whole processor
      timeout: FUNCTION_TIMEOUT,
      ...(settings.reservedConcurrency === null ? {} : { reservedConcurrentExecutions: settings.reservedConcurrency }),
      retryAttempts: 0,
      role: this.role.withoutPolicyUpdates(),
      logGroup: this.logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: Tracing.DISABLED,
      awsSdkConnectionReuse: false,
      environment: {
        FILLBOOK_ACCOUNT: account,
        FILLBOOK_STORE: `s3://${archive.bucket.bucketName}/${settings.prefix}`,
        FILLBOOK_ACCOUNT_URL: settings.accountUrl,
        FILLBOOK_MARKET_DATA_URL: settings.marketDataUrl,
        FILLBOOK_TOKEN_SECRET: secret.secretArn,
        FILLBOOK_LOOK_BACK_DAYS: String(settings.lookBackDays),
        ...(settings.maxRps === null ? {} : { FILLBOOK_MAX_RPS: String(settings.maxRps) }),
        NODE_OPTIONS: "--enable-source-maps",
      },
      bundling: {
        format: OutputFormat.ESM,
        target: "node24",
        minify: true,
        mainFields: ["module", "main"],
        externalModules: [], // the runtime's own copy of the SDK is not the one that was tested
        banner: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);", // undici is CommonJS
        sourceMap: true,
        sourcesContent: false,
      },
    });
    for (const keys of ["*", ...COLLECTED_FOLDERS.map((folder) => `${folder}/*`)]) {
      acknowledge(
        this.role,
        "AwsSolutions-IAM5",
        `Resource::${ARCHIVE_ARN_EXPORT}/${settings.prefix}/${account}/${keys}`,
      );
    }
  }

  #permissions({ account, archive, secret, settings }: JobFunctionProps): readonly PolicyStatement[] {
    const keys = `${settings.prefix}/${account}/*`;
    const allow = (sid: string, actions: string[], resources: string[], conditions: Record<string, unknown> = {}) =>
      new PolicyStatement({ sid, effect: Effect.ALLOW, actions, resources, conditions });
    return [
      allow(
        "Archive",
        ["s3:GetObject", "s3:PutObject", "s3:AbortMultipartUpload"],
        [archive.bucket.arnForObjects(keys)],
      ),
      allow(
        "Orphans",
        ["s3:DeleteObject"],
        COLLECTED_FOLDERS.map((folder) => archive.bucket.arnForObjects(`${settings.prefix}/${account}/${folder}/*`)),
      ),
      // Without it S3 answers 403 for a key that does not exist; S3 compares the asked key with s3:prefix there.
      allow("ArchiveKeys", ["s3:ListBucket"], [archive.bucket.bucketArn], { StringLike: { "s3:prefix": keys } }),
      allow("Token", ["secretsmanager:GetSecretValue"], [secret.secretArn]),
      allow("Log", ["logs:CreateLogStream", "logs:PutLogEvents"], [this.logGroup.logGroupArn]),
      ...(archive.key === null
        ? []
        : [
            allow("ArchiveKey", ["kms:Decrypt", "kms:GenerateDataKey"], [archive.key.keyArn], {
              StringEquals: { "kms:ViaService": `s3.${Stack.of(this).region}.${Stack.of(this).urlSuffix}` },
            }),
          ]),
    ];
  }
}
