import { Stack } from "aws-cdk-lib";
import { AnyPrincipal, Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { NAMES, roleArn } from "../names.ts";
import type { StackSettings } from "../settings.ts";

type Settings = Pick<StackSettings, "prefix" | "page">;

/**
 * Something that the bucket refuses to everybody, whatever else allows it. `patterns`: keys below the prefix,
 * as a policy writes them.
 */
interface Refusal {
  readonly sid: string;
  readonly actions: string[];
  readonly patterns: readonly string[];
  readonly conditions?: Record<string, unknown>;
}

/**
 * The user may change `inputs/` freely, several people at once through the page. Everything else obeys the
 * commit protocol, and neither heads nor packs can be deleted.
 */
export function archivePolicy(bucket: Bucket, settings: Settings): readonly PolicyStatement[] {
  return refusals(bucket, settings, [
    createdOnly([
      "*/manifests/*",
      "*/fills/month=*",
      "*/restatements/*",
      "*/readings/*",
      "*/unfiled/*",
      "*/contracts/*",
      "*/packs/*/*/*",
      "*/packs/*/*.zip",
      "*/downloads/*/*",
    ]),
    swappedOnly(["*/head.json", "*/packs/*/latest.json", "table/account=*"]),
    {
      sid: "HeadsAndPacksAreNeverDeleted",
      actions: ["s3:DeleteObject", "s3:DeleteObjectVersion"],
      patterns: ["*/head.json", "*/contracts/*", "*/packs/*"],
    },
    ...(settings.page === null ? [] : [inputsSwappedByPage(roleArn(Stack.of(bucket), NAMES.pageRole))]),
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
 * The lock protects versions; this policy protects the current version of each key. A delete without a
 * version id only adds a delete marker, but that hides the pack, so everybody is refused. Deleting a version
 * is left to the lock: in governance mode, whoever has s3:BypassGovernanceRetention may do it. Fillbook's own
 * role never may, whatever its policies allow.
 */
export function packPolicy(bucket: Bucket, settings: Settings): readonly PolicyStatement[] {
  const patterns = ["*/packs/*"];
  return refusals(bucket, settings, [
    createdOnly(["*/packs/*/*/*", "*/packs/*/*.zip"]),
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
      conditions: { ArnEquals: { "aws:PrincipalArn": roleArn(Stack.of(bucket), NAMES.accountRole) } },
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

/**
 * Exempts CreateMultipartUpload and UploadPart, which accept no condition. CompleteMultipartUpload accepts
 * one and is not exempt.
 */
const CREATES = { Bool: { "s3:ObjectCreationOperation": "true" } };

/**
 * Immutable objects can only be created, never overwritten. As a rule of the bucket, no program and no person
 * can break the commit protocol by accident.
 */
function createdOnly(patterns: readonly string[]): Refusal {
  const conditions = { Null: { "s3:if-none-match": "true" }, ...CREATES };
  return { sid: "ImmutableObjectsAreNeverOverwritten", actions: ["s3:PutObject"], patterns, conditions };
}

/** Objects that change can only be replaced by compare-and-swap. */
function swappedOnly(patterns: readonly string[]): Refusal {
  const conditions = { Null: { "s3:if-match": "true", "s3:if-none-match": "true" }, ...CREATES };
  return { sid: "HeadsChangeByCompareAndSwap", actions: ["s3:PutObject"], patterns, conditions };
}

/** Ten times the lifetime of the page's own links: clocks differ, and an interrupted download may resume. */
const MAX_LINK_AGE_MS = 600_000;

/** Refuses presigned links that are too old, whatever lifetime the link itself states. */
const OLD_LINKS: Refusal = {
  sid: "SignedLinksDoNotLast",
  actions: ["s3:*"],
  patterns: ["*"],
  conditions: {
    StringEquals: { "s3:authType": "REST-QUERY-STRING" },
    NumericGreaterThan: { "s3:signatureAge": String(MAX_LINK_AGE_MS) },
  },
};
