import type { IRole, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { allow } from "../allow.ts";
import type { ArchiveBucket } from "../data/archive-bucket.ts";
import type { PackBucket } from "../data/pack-bucket.ts";
import { pageRoleName } from "../names.ts";
import type { StackSettings } from "../settings.ts";
import { acceptKeys, keyUse, taggedKeys, taggedRole } from "../tagged-role.ts";

const PACKS = "packs/*";
const DOWNLOADS = "downloads/*";

/** What the page shows of an archive: neither fills nor the service's answers, which only packs are made from. */
const ARCHIVE = ["head.json", "manifests/*", "index/*", "restatements/*", PACKS, DOWNLOADS, "zips/*"] as const;

export interface PageRoleProps {
  readonly archive: ArchiveBucket;
  /** Where packs are, if not in the archive's bucket; older ones may be there all the same. */
  readonly packs: PackBucket | null;
  readonly settings: Pick<StackSettings, "prefix">;
  /** The function's own role. */
  readonly fn: IRole;
}

/** What the page may do for one account: read what it shows, sign links to it, and write down who downloaded what. */
export class PageRole extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, { archive, packs, settings: { prefix }, fn }: PageRoleProps) {
    super(scope, id);
    this.role = taggedRole(this, {
      roleName: pageRoleName(),
      description: "fillbook: what the page shows of the account that the session's tag names",
      fn,
    });
    for (const statement of [
      ...reading("Archive", archive, prefix, ARCHIVE),
      ...(packs === null ? [] : reading("Packs", packs, prefix, [PACKS])),
      allow("Downloads", ["s3:PutObject"], [archive.bucket.arnForObjects(taggedKeys(prefix, DOWNLOADS))]),
      ...keyUse(this, archive),
    ]) {
      this.role.addToPolicy(statement);
    }
    acceptKeys(
      this.role,
      archive,
      prefix,
      ARCHIVE.filter((pattern) => pattern.endsWith("*")),
    );
    if (packs !== null) {
      acceptKeys(this.role, packs, prefix, [PACKS]);
    }
  }
}

/** Objects, and their lists: whoever may read a key may know that there is none (without that, S3 answers 403 in place of 404). */
function reading(
  sid: string,
  { bucket }: ArchiveBucket | PackBucket,
  prefix: string,
  patterns: readonly string[],
): readonly PolicyStatement[] {
  const keys = patterns.map((pattern) => taggedKeys(prefix, pattern));
  return [
    allow(
      sid,
      ["s3:GetObject"],
      keys.map((key) => bucket.arnForObjects(key)),
    ),
    allow(`${sid}Keys`, ["s3:ListBucket"], [bucket.bucketArn], { StringLike: { "s3:prefix": keys } }),
  ];
}
