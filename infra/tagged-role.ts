import { Stack } from "aws-cdk-lib";
import { Effect, type IRole, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { ACCOUNT_TAG } from "../lambda/job/account-role.ts";
import { acknowledge } from "./acknowledgements.ts";
import { allow } from "./allow.ts";
import type { ArchiveBucket } from "./data/archive-bucket.ts";
import type { PackBucket } from "./data/pack-bucket.ts";
import { TAGGED_ACCOUNT } from "./names.ts";

/*
 * Roles for one account at a time: who takes one on says which account in the session's tag, and every resource has the tag in it. So one role is for
 * all accounts, and no session reaches two.
 */

/** How the buckets' ARNs reach the other stacks: part of the findings that are acknowledged. */
const ARCHIVE_ARN_EXPORT = "FillbookData:ExportsOutputFnGetAttArchiveBucket49F1AC64Arn3FBD647E";
const PACKS_ARN_EXPORT = "FillbookData:ExportsOutputFnGetAttPacksBucketD74B7A78ArnFEA25008";

export interface TaggedRoleProps {
  readonly roleName: string;
  readonly description: string;
  /** A function's own role, the only one that may take this one on. */
  readonly fn: IRole;
}

export function taggedRole(scope: Construct, { roleName, description, fn }: TaggedRoleProps): Role {
  const role = new Role(scope, "Role", { roleName, description, assumedBy: fn.grantPrincipal });
  role.assumeRolePolicy?.addStatements(
    new PolicyStatement({
      sid: "WithAnAccount",
      effect: Effect.ALLOW,
      principals: [fn.grantPrincipal],
      actions: ["sts:TagSession"],
      conditions: { "ForAllValues:StringEquals": { "aws:TagKeys": [ACCOUNT_TAG] } },
    }),
  );
  return role;
}

/** Keys of the session's account, as a policy writes them. */
export function taggedKeys(prefix: string, pattern: string): string {
  return `${prefix}/${TAGGED_ACCOUNT}/${pattern}`;
}

/** Where the key is our own: its use through S3. */
export function keyUse(scope: Construct, { key }: ArchiveBucket): readonly PolicyStatement[] {
  const { region, urlSuffix } = Stack.of(scope);
  return key === null
    ? []
    : [
        allow("ArchiveKey", ["kms:Decrypt", "kms:GenerateDataKey"], [key.keyArn], {
          StringEquals: { "kms:ViaService": `s3.${region}.${urlSuffix}` },
        }),
      ];
}

/** Accepts that a tagged role's resources end in wildcards. `patterns`: below the account's prefix. */
export function acceptKeys(
  role: Role,
  bucket: ArchiveBucket | PackBucket,
  prefix: string,
  patterns: readonly string[],
) {
  const arn = "accessLogs" in bucket ? ARCHIVE_ARN_EXPORT : PACKS_ARN_EXPORT;
  for (const pattern of patterns) {
    acknowledge(role, "AwsSolutions-IAM5", `Resource::${arn}/${prefix}/<aws:PrincipalTag/${ACCOUNT_TAG}>/${pattern}`);
  }
}
