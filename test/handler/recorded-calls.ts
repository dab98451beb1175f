import { expect } from "vitest";
import { type Call, inexact, unmatched, type Values } from "../infra/policy.ts";
import { resourcesOf, type Statement, statementsOf, type templates } from "../infra/synth.ts";
import { FUNCTION_KEY, type StsDouble } from "../support/aws-doubles.ts";
import type { S3Request } from "../support/s3-double/server.ts";

const AWS_ACCOUNT = "000000000000";
export const ACCOUNT_ROLE = `arn:aws:iam::${AWS_ACCOUNT}:role/fillbook-account-eu-west-1`;
const LOG_GROUP = `arn:aws:logs:eu-west-1:${AWS_ACCOUNT}:log-group:function:*`;
const KEY = `arn:aws:kms:eu-west-1:${AWS_ACCOUNT}:key/archive`;

/** The values of the templates' references in these tests. */
export const VALUES: Values = [
  [/Import\(FillbookData:ExportsOutputFnGetAttArchiveBucket\w+\)|Arn\(ArchiveBucket\w+\)/g, "arn:aws:s3:::archive"],
  [/Import\(FillbookData:ExportsOutputRefArchiveBucket\w+\)/g, "archive"],
  [/Import\(FillbookData:ExportsOutputFnGetAttPacksBucket\w+\)|Arn\(PacksBucket\w+\)/g, "arn:aws:s3:::packs"],
  [/Import\(FillbookData:ExportsOutputRefPacksBucket\w+\)/g, "packs"],
  [/Import\(FillbookData:ExportsOutputFnGetAttArchiveKey\w+\)/g, KEY],
  [/Arn\(JobAccountRole\w+\)/g, ACCOUNT_ROLE],
  [/Arn\(JobRole\w+\)/g, `arn:aws:iam::${AWS_ACCOUNT}:role/function`],
  [/Arn\((?:Job|Server)Log\w+\)/g, LOG_GROUP],
];

/** Each call is allowed, and each action and resource of a statement is needed by a call. */
export function expectExact(statements: readonly Statement[], values: Values, calls: readonly Call[]): void {
  expect(inexact(statements, values, calls)).toEqual({ refused: [], unused: [] });
}

/** The policies of the buckets deny none of the calls in `none`, and each one in `all`. */
export function expectDenied(
  { data }: Pick<ReturnType<typeof templates>, "data">,
  { none, all }: { readonly none: readonly Call[]; readonly all: readonly Call[] },
): void {
  const refusals = resourcesOf(data, "AWS::S3::BucketPolicy").flatMap(([, policy]) => statementsOf(policy));
  expect(all).not.toEqual([]);
  expect(unmatched(refusals, VALUES, none)).toEqual(none);
  expect(unmatched(refusals, VALUES, all)).toEqual([]);
}

/**
 * The action that the caller needs for each S3 operation, and what S3 then asks KMS for, as the caller, when objects
 * are encrypted with SSE-KMS. S3 also decrypts the parts of an upload to join them.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
 */
const S3_ACTIONS: Readonly<Record<string, readonly [action: string, ...kms: string[]]>> = {
  GetObject: ["s3:GetObject", "kms:Decrypt"],
  HeadObject: ["s3:GetObject"],
  ListObjectsV2: ["s3:ListBucket"],
  PutObject: ["s3:PutObject", "kms:GenerateDataKey"],
  DeleteObject: ["s3:DeleteObject"],
  CreateMultipartUpload: ["s3:PutObject", "kms:GenerateDataKey"],
  UploadPart: ["s3:PutObject", "kms:Decrypt", "kms:GenerateDataKey"],
  CompleteMultipartUpload: ["s3:PutObject", "kms:Decrypt"],
  AbortMultipartUpload: ["s3:AbortMultipartUpload"],
};

/**
 * The operations that create an object:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
const CREATES = ["PutObject", "CompleteMultipartUpload"];

/** How the sessions of a role appear to IAM, by access key. No other caller may have the role's permissions. */
export function principals({ sessions }: Pick<StsDouble, "sessions">, role: string) {
  expect(new Set(sessions.map(({ askedBy }) => askedBy))).toEqual(new Set([FUNCTION_KEY]));
  const known = new Map(
    sessions.map(({ accessKeyId, tags }) => {
      const tagged = Object.entries(tags).map(([key, value]) => [`aws:PrincipalTag/${key}`, value]);
      return [accessKeyId, { "aws:PrincipalArn": role, ...Object.fromEntries(tagged) }] as const;
    }),
  );
  return (accessKeyId: string): Call["context"] => known.get(accessKeyId) ?? {};
}

/** The calls of KMS that S3 makes for an operation, as the caller. */
export function keyCalls({ operation }: Pick<S3Request, "operation">): readonly Call[] {
  const [, ...actions] = S3_ACTIONS[operation] ?? [];
  const context = { "kms:ViaService": "s3.eu-west-1.amazonaws.com" };
  return actions.map((action) => ({ action, resource: KEY, context }));
}

/**
 * What a function's own role needs: to open each session, both actions, as it has tags, and to write the log.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_session-tags.html
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html
 */
export function functionCalls({ sessions }: Pick<StsDouble, "sessions">): readonly Call[] {
  const log = ["logs:CreateLogStream", "logs:PutLogEvents"];
  return [
    ...sessions.flatMap(({ roleArn: resource, tags }) => {
      const context = { "aws:TagKeys": Object.keys(tags).join() };
      return ["sts:AssumeRole", "sts:TagSession"].map((action) => ({ action, resource, context }));
    }),
    ...log.map((action) => ({ action, resource: LOG_GROUP, context: {} })),
  ];
}

/**
 * The permissions that S3 checks for a request. A read also needs ListBucket, in case the key does not exist.
 */
export function s3Calls(request: S3Request, principal: Call["context"]): readonly Call[] {
  const { operation, bucket, key, prefix, ifMatch, ifNoneMatch } = request;
  const [action = expect.fail(`${operation} is not known here`)] = S3_ACTIONS[operation] ?? [];
  const context = {
    ...principal,
    "aws:SecureTransport": "true",
    "s3:TlsVersion": "1.3",
    "s3:ObjectCreationOperation": String(CREATES.includes(operation)),
    ...(ifMatch === undefined ? {} : { "s3:if-match": ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { "s3:if-none-match": ifNoneMatch }),
  };
  const list = (asked: string): Call => ({
    action: "s3:ListBucket",
    resource: `arn:aws:s3:::${bucket}`,
    context: { ...context, "s3:prefix": asked },
  });
  if (operation === "ListObjectsV2") {
    return [list(prefix)];
  }
  const call = { action, resource: `arn:aws:s3:::${bucket}/${key}`, context };
  // Without ListBucket, S3 answers 403 instead of 404 for a missing key, and any key may be missing.
  return operation === "GetObject" ? [call, list(key)] : [call];
}
