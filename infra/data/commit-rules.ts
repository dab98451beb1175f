import { Stack } from "aws-cdk-lib";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { roleArn } from "../names.ts";
import type { StackSettings } from "../settings.ts";

type Settings = Pick<StackSettings, "names" | "prefix" | "page">;

/**
 * What a bucket refuses to everybody, whatever else they may. `patterns`: keys below the prefix, as a policy
 * writes them.
 */
interface Refusal {
  readonly sid: string;
  readonly actions: string[];
  readonly patterns: readonly string[];
  readonly conditions?: Record<string, unknown>;
}

/**
 * What the user puts into `inputs/` is his own, and several people may change it through the page; all else
 * obeys the commit protocol, and neither the heads nor a pack can be deleted.
 */
export function archivePolicy(bucket: Bucket, settings: Settings): readonly PolicyStatement[] {
  return refusals(bucket, settings, [
    createdOnly([
      "*/manifests/*",
      "*/index/*",
      "*/fills/month=*",
      "*/fills/_delta_log/*.json",
      "*/fills/_delta_log/*.parquet",
      "*/pages/*",
      "*/restatements/*",
      "*/contracts/*",
      "*/packs/*/*/*",
      "*/downloads/*/*",
      "*/inputs-history/*",
      "*/zips/*/*",
    ]),
    swappedOnly(["*/head.json", "*/packs/*/latest.json", "*/fills/_delta_log/_last_checkpoint", "*/answers/*"]),
    {
      sid: "HeadsAndPacksAreNeverDeleted",
      actions: ["s3:DeleteObject", "s3:DeleteObjectVersion"],
      patterns: ["*/head.json", "*/contracts/*", "*/packs/*"],
    },
    ...(settings.page === null ? [] : [inputsSwappedByPage(roleArn(Stack.of(bucket), settings.names.pageRole))]),
  ]);
}

/**
 * Two users of the page never overwrite each other's file unseen. Whoever has rights of their own may copy
 * one there.
 */
function inputsSwappedByPage(pageRole: string): Refusal {
  const { conditions, ...swapped } = swappedOnly(["*/inputs/*"]);
  const byPage = { ArnEquals: { "aws:PrincipalArn": pageRole } };
  return { ...swapped, sid: "ThePageChangesInputsByCompareAndSwap", conditions: { ...conditions, ...byPage } };
}

/**
 * The lock holds versions; the policy keeps what they are called by. A delete without a version would only
 * add a marker, but hide the pack, so nobody may. A version is the lock's own matter: under governance who
 * has s3:BypassGovernanceRetention may delete it, fillbook never, whatever its role is ever allowed.
 */
export function packPolicy(bucket: Bucket, settings: Settings): readonly PolicyStatement[] {
  const patterns = ["*/packs/*"];
  return refusals(bucket, settings, [
    createdOnly(["*/packs/*/*/*"]),
    swappedOnly(["*/packs/*/latest.json"]),
    { sid: "PacksAreNeverHidden", actions: ["s3:DeleteObject"], patterns },
    {
      sid: "FillbookNeverLiftsTheLock",
      actions: [
        "s3:DeleteObjectVersion",
        "s3:BypassGovernanceRetention",
        "s3:PutObjectRetention",
        "s3:PutObjectLegalHold",
      ],
      patterns,
      conditions: { ArnEquals: { "aws:PrincipalArn": roleArn(Stack.of(bucket), settings.names.accountRole) } },
    },
  ]);
}

function refusals(bucket: Bucket, { prefix, page }: Settings, refused: readonly Refusal[]): readonly PolicyStatement[] {
  return [...refused, ...(page === null ? [] : [OLD_LINKS])].map(
    ({ sid, actions, patterns, conditions = {} }) =>
      new PolicyStatement({
        sid,
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions,
        resources: patterns.map((pattern) => bucket.arnForObjects(`${prefix}/${pattern}`)),
        conditions,
      }),
  );
}

/** Exempts CreateMultipartUpload and UploadPart, which take no condition; CompleteMultipartUpload does. */
const CREATES = { Bool: { "s3:ObjectCreationOperation": "true" } };

/**
 * The commit protocol as a rule of the bucket, so that no program and no person can break it by accident:
 * immutable objects are created only.
 */
function createdOnly(patterns: readonly string[]): Refusal {
  const conditions = { Null: { "s3:if-none-match": "true" }, ...CREATES };
  return { sid: "ImmutableObjectsAreNeverOverwritten", actions: ["s3:PutObject"], patterns, conditions };
}

/** The same for what changes: by compare-and-swap only. */
function swappedOnly(patterns: readonly string[]): Refusal {
  const conditions = { Null: { "s3:if-match": "true", "s3:if-none-match": "true" }, ...CREATES };
  return { sid: "HeadsChangeByCompareAndSwap", actions: ["s3:PutObject"], patterns, conditions };
}

/** Ten times what the page's own links last: clocks differ, and a download that broke off may go on. */
const MAX_LINK_AGE_MS = 600_000;

/**
 * Where people download by links that are signed for them: whatever a link says of itself, it does not last.
 */
const OLD_LINKS: Refusal = {
  sid: "SignedLinksDoNotLast",
  actions: ["s3:*"],
  patterns: ["*"],
  conditions: {
    StringEquals: { "s3:authType": "REST-QUERY-STRING" },
    NumericGreaterThan: { "s3:signatureAge": String(MAX_LINK_AGE_MS) },
  },
};
