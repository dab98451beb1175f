import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";

/** Keys of one bucket, below the prefix that all accounts share. */
export interface Keys {
  readonly bucket: Bucket;
  readonly prefix: string;
}

/** What a bucket refuses to everybody, whatever else they may. `patterns`: keys below the prefix, as a policy writes them. */
export interface Refusal {
  readonly sid: string;
  readonly actions: string[];
  readonly patterns: readonly string[];
  readonly conditions?: Record<string, unknown>;
}

export function refuse(
  { bucket, prefix }: Keys,
  { sid, actions, patterns, conditions = {} }: Refusal,
): PolicyStatement {
  return new PolicyStatement({
    sid,
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions,
    resources: patterns.map((pattern) => bucket.arnForObjects(`${prefix}/${pattern}`)),
    conditions,
  });
}

/** Exempts CreateMultipartUpload and UploadPart, which take no condition; CompleteMultipartUpload does. */
const CREATES = { Bool: { "s3:ObjectCreationOperation": "true" } };

/** The commit protocol as a rule of the bucket, so that no program and no person can break it by accident: immutable objects are created only. */
export function refuseOverwriting(keys: Keys, patterns: readonly string[]): PolicyStatement {
  return refuse(keys, {
    sid: "ImmutableObjectsAreNeverOverwritten",
    actions: ["s3:PutObject"],
    patterns,
    conditions: { Null: { "s3:if-none-match": "true" }, ...CREATES },
  });
}

/** The same for what changes: by compare-and-swap only. */
export function refuseBlindWrites(keys: Keys, patterns: readonly string[]): PolicyStatement {
  return refuse(keys, {
    sid: "HeadsChangeByCompareAndSwap",
    actions: ["s3:PutObject"],
    patterns,
    conditions: { Null: { "s3:if-match": "true", "s3:if-none-match": "true" }, ...CREATES },
  });
}

/** Ten times what the page's own links last: clocks differ, and a download that broke off may go on. */
const MAX_LINK_AGE_MS = 600_000;

/** Where people download by links that are signed for them: whatever a link says of itself, it does not last. */
export function refuseOldLinks(keys: Keys): PolicyStatement {
  return refuse(keys, {
    sid: "SignedLinksDoNotLast",
    actions: ["s3:*"],
    patterns: ["*"],
    conditions: {
      StringEquals: { "s3:authType": "REST-QUERY-STRING" },
      NumericGreaterThan: { "s3:signatureAge": String(MAX_LINK_AGE_MS) },
    },
  });
}
