import { Stack } from "aws-cdk-lib";
import type { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import { NAMES, roleArn } from "../names.ts";
import { deny } from "../roles.ts";
import type { StackSettings } from "../settings.ts";

type Settings = Pick<StackSettings, "prefix" | "page">;

/**
 * The user may change `inputs/` freely, several people at once through the page. Everything else obeys the
 * commit protocol, and neither heads nor packs can be deleted.
 */
export function archivePolicy(bucket: Bucket, { prefix, page }: Settings): readonly PolicyStatement[] {
  const keys = keysOf(bucket, prefix);
  const immutable = ["manifests/*", "fills/month=*", "restatements/*", "readings/*", "unfiled/*", "contracts/*"];
  const deletions = ["s3:DeleteObject", "s3:DeleteObjectVersion"];
  return [
    createdOnly(keys(...[...immutable, "packs/*/*/*", "packs/*/*.zip", "downloads/*/*"].map((one) => `*/${one}`))),
    swappedOnly(keys("*/head.json", "*/packs/*/latest.json", "table/account=*")),
    deny("HeadsAndPacksAreNeverDeleted", deletions, keys("*/head.json", "*/contracts/*", "*/packs/*")),
    // Two users of the page never overwrite each other's file unseen. Whoever has rights of their own may copy
    // one there.
    ...(page === null
      ? []
      : [
          deny("ThePageChangesInputsByCompareAndSwap", ["s3:PutObject"], keys("*/inputs/*"), {
            ...SWAPPED,
            ArnEquals: { "aws:PrincipalArn": roleArn(Stack.of(bucket), NAMES.pageRole) },
          }),
          oldLinks(keys("*")),
        ]),
  ];
}

/**
 * The lock protects versions; this policy protects the current version of each key. A delete without a
 * version id only adds a delete marker, but that hides the pack, so everybody is refused. Deleting a version
 * is left to the lock: in governance mode, whoever has s3:BypassGovernanceRetention may do it. Fillbook's own
 * role never may, whatever its policies allow.
 */
export function packPolicy(bucket: Bucket, { prefix, page }: Settings): readonly PolicyStatement[] {
  const keys = keysOf(bucket, prefix);
  const lifting = ["BypassGovernanceRetention", "PutObjectRetention", "PutObjectLegalHold", "DeleteObjectVersion"];
  return [
    createdOnly(keys("*/packs/*/*/*", "*/packs/*/*.zip")),
    swappedOnly(keys("*/packs/*/latest.json")),
    deny("PacksAreNeverHidden", ["s3:DeleteObject"], keys("*/packs/*")),
    deny(
      "FillbookNeverLiftsTheLock",
      lifting.map((one) => `s3:${one}`),
      keys("*/packs/*"),
      { ArnEquals: { "aws:PrincipalArn": roleArn(Stack.of(bucket), NAMES.accountRole) } },
    ),
    ...(page === null ? [] : [oldLinks(keys("*"))]),
  ];
}

/** Gives the ARNs of keys below the prefix, as a policy writes them. */
function keysOf(bucket: Bucket, prefix: string): (...patterns: readonly string[]) => string[] {
  return (...patterns) => patterns.map((pattern) => bucket.arnForObjects(`${prefix}/${pattern}`));
}

/**
 * Exempts CreateMultipartUpload and UploadPart, which accept no condition. CompleteMultipartUpload accepts
 * one and is not exempt.
 */
const CREATES = { Bool: { "s3:ObjectCreationOperation": "true" } };

/** The conditions of a write that is no compare-and-swap. */
const SWAPPED = { Null: { "s3:if-match": "true", "s3:if-none-match": "true" }, ...CREATES };

/**
 * Immutable objects can only be created, never overwritten. As a rule of the bucket, no program and no person
 * can break the commit protocol by accident.
 */
function createdOnly(keys: string[]): PolicyStatement {
  const conditions = { Null: { "s3:if-none-match": "true" }, ...CREATES };
  return deny("ImmutableObjectsAreNeverOverwritten", ["s3:PutObject"], keys, conditions);
}

/** Objects that change can only be replaced by compare-and-swap. */
function swappedOnly(keys: string[]): PolicyStatement {
  return deny("HeadsChangeByCompareAndSwap", ["s3:PutObject"], keys, SWAPPED);
}

/** Ten times the lifetime of the page's own links: clocks differ, and an interrupted download may resume. */
const MAX_LINK_AGE_MS = 600_000;

/** Refuses presigned links that are too old, whatever lifetime the link itself states. */
function oldLinks(keys: string[]): PolicyStatement {
  return deny("SignedLinksDoNotLast", ["s3:*"], keys, {
    StringEquals: { "s3:authType": "REST-QUERY-STRING" },
    NumericGreaterThan: { "s3:signatureAge": String(MAX_LINK_AGE_MS) },
  });
}
