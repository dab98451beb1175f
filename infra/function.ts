import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RemovalPolicy } from "aws-cdk-lib";
import { type PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, LoggingFormat, Runtime, Tracing } from "aws-cdk-lib/aws-lambda";
import { type NodejsFunctionProps, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Asset } from "aws-cdk-lib/aws-s3-assets";
import type { Construct } from "constructs";
import { allow } from "./roles.ts";
import type { StackSettings } from "./settings.ts";

const ROOT = join(import.meta.dirname, "..");

/**
 * The properties that all functions share: one bundled file, Node 24, ARM. `entry`: path from the
 * repository's root; it exports `handler`.
 */
export function bundled(entry: string) {
  return {
    entry: join(ROOT, entry),
    handler: "handler",
    projectRoot: ROOT,
    depsLockFilePath: join(ROOT, "package-lock.json"),
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    loggingFormat: LoggingFormat.JSON,
    tracing: Tracing.DISABLED,
    awsSdkConnectionReuse: false,
    bundling: {
      format: OutputFormat.ESM,
      target: "node24",
      minify: true,
      mainFields: ["module", "main"],
      define: { esbuildDetection: "1" }, // undici then leaves its experimental second parser out, as in Node's own build of it
      externalModules: [], // the runtime's own copy of the SDK is not the one that was tested
      banner: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);", // undici is CommonJS
      sourceMap: true,
      sourcesContent: false,
    },
  } as const satisfies NodejsFunctionProps;
}

/** Makes Node read the bundle's source maps. */
export const SOURCE_MAPS = "--enable-source-maps";

type LogSettings = Pick<StackSettings, "logRetentionDays">;

/** A log group that is kept when its stack is deleted. */
export function keptLog(scope: Construct, id: string, { logRetentionDays }: LogSettings): LogGroup {
  return new LogGroup(scope, id, { retention: logRetentionDays, removalPolicy: RemovalPolicy.RETAIN });
}

/** A function's log group, and its role, which may write there. */
export function logAndRole(scope: Construct, settings: LogSettings, description: string) {
  const logGroup = keptLog(scope, "Log", settings);
  const role = new Role(scope, "Role", { description, assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
  role.addToPolicy(allow("Log", ["logs:CreateLogStream", "logs:PutLogEvents"], [logGroup.logGroupArn]));
  return { logGroup, role };
}

/** Allows a function to assume the role of an account. */
export function takingOn(roleArn: string): PolicyStatement {
  return allow("Accounts", ["sts:AssumeRole", "sts:TagSession"], [roleArn]);
}

/**
 * The accounts' names in S3, as a JSON array, for what must not grow with the number of accounts. The
 * object's name is its content hash, so a deployment that is rolled back finds its own list again.
 */
export function accountList(scope: Construct, accounts: readonly string[]): Asset {
  const path = join(mkdtempSync(join(tmpdir(), "fillbook-accounts-")), "accounts.json");
  writeFileSync(path, JSON.stringify(accounts));
  return new Asset(scope, "Accounts", { path });
}

/** Allows reading the accounts' list. */
export function readingList(sid: string, { bucket, s3ObjectKey }: Asset): PolicyStatement {
  return allow(sid, ["s3:GetObject"], [bucket.arnForObjects(s3ObjectKey)]);
}
