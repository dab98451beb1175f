import type { Call, Values } from "../infra/policy.ts";
import type { StsDouble } from "../support/aws-doubles.ts";
import type { S3Request } from "../support/s3-double/server.ts";
import { FUNCTION_KEY, type World } from "./world.ts";

const AWS_ACCOUNT = "000000000000";
const ACCOUNT_ROLE = `arn:aws:iam::${AWS_ACCOUNT}:role/fillbook-account-eu-west-1`;
const FUNCTION_ROLE = `arn:aws:iam::${AWS_ACCOUNT}:role/function`;
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
  [/Arn\(JobRole\w+\)/g, FUNCTION_ROLE],
  [/Arn\(JobLog\w+\)/g, LOG_GROUP],
];

/**
 * The action that the caller needs for each S3 operation.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html
 */
const S3_ACTIONS: Readonly<Record<string, string>> = {
  GetObject: "s3:GetObject",
  HeadObject: "s3:GetObject",
  ListObjectsV2: "s3:ListBucket",
  PutObject: "s3:PutObject",
  DeleteObject: "s3:DeleteObject",
  CreateMultipartUpload: "s3:PutObject",
  UploadPart: "s3:PutObject",
  CompleteMultipartUpload: "s3:PutObject",
  AbortMultipartUpload: "s3:AbortMultipartUpload",
};

/**
 * The operations that create an object:
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
const CREATES = ["PutObject", "CompleteMultipartUpload"];

/**
 * What S3 calls KMS for, as the caller, when objects are encrypted with SSE-KMS. S3 also decrypts the parts
 * of an upload to join them. https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
 */
const KMS_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  GetObject: ["kms:Decrypt"],
  PutObject: ["kms:GenerateDataKey"],
  CreateMultipartUpload: ["kms:GenerateDataKey"],
  UploadPart: ["kms:Decrypt", "kms:GenerateDataKey"],
  CompleteMultipartUpload: ["kms:Decrypt"],
};

/** Every call that the doubles received. Throws if a call is not signed by the expected role. */
export function recordedCalls({ s3, secrets, sts, sandbox }: World) {
  const sessions = new Map(sts.sessions.map((session) => [session.accessKeyId, session.tags]));
  const principalOf = (accessKeyId: string): Readonly<Record<string, string>> => {
    const tags = sessions.get(accessKeyId);
    if (tags === undefined) {
      throw new Error(`a request is signed by ${accessKeyId}, not by a session of the account`);
    }
    const tagged = Object.entries(tags).map(([key, value]) => [`aws:PrincipalTag/${key}`, value]);
    return { "aws:PrincipalArn": ACCOUNT_ROLE, ...Object.fromEntries(tagged) };
  };
  const strangers = sts.sessions.filter(({ askedBy }) => askedBy !== FUNCTION_KEY);
  if (strangers.length > 0) {
    throw new Error(`a session was opened by ${strangers[0]?.askedBy}, not by the function`);
  }
  return {
    /** Calls by the function's own role. */
    byFunction: [...sessionCalls(sts), ...(sandbox.output() === "" ? [] : logCalls(LOG_GROUP))],
    /** Calls by sessions of the account's role. */
    byAccount: [
      ...s3.requests.flatMap((request) => s3Calls(request, principalOf(request.accessKeyId))),
      ...secrets.asked.map((id, index) => ({
        action: "secretsmanager:GetSecretValue",
        resource: `arn:aws:secretsmanager:eu-west-1:${AWS_ACCOUNT}:secret:${id}-a1b2c3`,
        context: principalOf(secrets.askedBy[index] ?? ""),
      })),
    ],
    /** Calls that KMS would receive if the archive had its own key. */
    ofKey: s3.requests.flatMap(keyCalls),
  };
}

/** The calls of KMS that S3 makes for an operation, as the caller. */
export function keyCalls({ operation }: Pick<S3Request, "operation">): readonly Call[] {
  const context = { "kms:ViaService": "s3.eu-west-1.amazonaws.com" };
  return (KMS_ACTIONS[operation] ?? []).map((action) => ({ action, resource: KEY, context }));
}

/**
 * Lambda writes the function's output to the log in the function's name:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html
 */
export function logCalls(resource: string): readonly Call[] {
  return ["logs:CreateLogStream", "logs:PutLogEvents"].map((action) => ({ action, resource, context: {} }));
}

/**
 * What opening each session needs. One with tags needs both actions:
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/id_session-tags.html
 */
export function sessionCalls({ sessions }: Pick<StsDouble, "sessions">): readonly Call[] {
  return sessions.flatMap(({ roleArn: resource, tags }) => {
    const context = { "aws:TagKeys": Object.keys(tags).join() };
    return ["sts:AssumeRole", "sts:TagSession"].map((action) => ({ action, resource, context }));
  });
}

/**
 * The permissions that S3 checks for a request. A read also needs ListBucket, in case the key does not exist.
 */
export function s3Calls(request: S3Request, principal: Call["context"]): readonly Call[] {
  const { operation, bucket, key, prefix, ifMatch, ifNoneMatch } = request;
  const action = S3_ACTIONS[operation];
  if (action === undefined) {
    throw new Error(`which action ${operation} asks for is not known here`);
  }
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
