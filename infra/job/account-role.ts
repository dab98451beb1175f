import { Stack } from "aws-cdk-lib";
import { Effect, type IRole, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { ACCOUNT_TAG } from "../../lambda/account-role.ts";
import { acknowledge } from "../acknowledgements.ts";
import type { ArchiveBucket } from "../data/archive-bucket.ts";
import type { PackBucket } from "../data/pack-bucket.ts";
import { accountRoleName, secretName, TAGGED_ACCOUNT } from "../names.ts";
import type { StackSettings } from "../settings.ts";

/** How the buckets' ARNs reach this stack: part of the findings that are acknowledged. */
const ARCHIVE_ARN_EXPORT = "FillbookData:ExportsOutputFnGetAttArchiveBucket49F1AC64Arn3FBD647E";

const PACKS_ARN_EXPORT = "FillbookData:ExportsOutputFnGetAttPacksBucketD74B7A78ArnFEA25008";

const WRITES = ["s3:GetObject", "s3:PutObject"];

const PACKS = "packs/*";

/** Where orphans are collected (lambda/archive/collect.ts): neither the head nor packs, which the bucket's own policy protects too. */
const COLLECTED_FOLDERS = ["manifests", "fills", "pages", "restatements"] as const;

/** Secrets Manager ends a secret's ARN with a dash and six letters of its own. */
const ARN_END = "-??????";

export interface AccountRoleProps {
  readonly archive: ArchiveBucket;
  /** Where packs are, if not in the archive's bucket. */
  readonly packs: PackBucket | null;
  readonly settings: Pick<StackSettings, "prefix" | "tokenSecrets">;
}

/**
 * What one account's run may do: reach that account's archive and token. Who takes the role on says which account in the session's tag, and every
 * resource has the tag in it: one role for all accounts, and no session that reaches two.
 */
export class AccountRole extends Construct {
  readonly role: Role;
  readonly #props: AccountRoleProps;

  /** `fn`: the function's own role, the only one that may take this one on. */
  constructor(scope: Construct, id: string, props: AccountRoleProps & { readonly fn: IRole }) {
    super(scope, id);
    this.#props = props;
    this.role = new Role(this, "Role", {
      roleName: accountRoleName(),
      description: "fillbook: the archive and the token of the account that the session's tag names",
      assumedBy: props.fn.grantPrincipal,
    });
    this.role.assumeRolePolicy?.addStatements(
      new PolicyStatement({
        sid: "WithAnAccount",
        effect: Effect.ALLOW,
        principals: [props.fn.grantPrincipal],
        actions: ["sts:TagSession"],
        conditions: { "ForAllValues:StringEquals": { "aws:TagKeys": [ACCOUNT_TAG] } },
      }),
    );
    for (const statement of this.#permissions()) {
      this.role.addToPolicy(statement);
    }
    const accept = (arn: string, keys: string) =>
      acknowledge(
        this.role,
        "AwsSolutions-IAM5",
        `Resource::${arn}/${props.settings.prefix}/<aws:PrincipalTag/${ACCOUNT_TAG}>/${keys}`,
      );
    for (const keys of ["*", ...COLLECTED_FOLDERS.map((folder) => `${folder}/*`)]) {
      accept(ARCHIVE_ARN_EXPORT, keys);
    }
    accept(props.packs === null ? ARCHIVE_ARN_EXPORT : PACKS_ARN_EXPORT, PACKS);
  }

  #permissions(): readonly PolicyStatement[] {
    const { archive, packs, settings } = this.#props;
    const keys = (pattern: string) => `${settings.prefix}/${TAGGED_ACCOUNT}/${pattern}`;
    const packKeys = (packs ?? archive).bucket.arnForObjects(keys(PACKS));
    const allow = (sid: string, actions: string[], resources: string[], conditions: Record<string, unknown> = {}) =>
      new PolicyStatement({ sid, effect: Effect.ALLOW, actions, resources, conditions });
    return [
      allow("Archive", WRITES, [archive.bucket.arnForObjects(keys("*"))]),
      // Packs alone are uploaded in parts.
      allow("PackUploads", ["s3:AbortMultipartUpload"], [packKeys]),
      allow(
        "Orphans",
        ["s3:DeleteObject"],
        COLLECTED_FOLDERS.map((folder) => archive.bucket.arnForObjects(keys(`${folder}/*`))),
      ),
      // Without it S3 answers 403 for a key that does not exist; S3 compares the asked key with s3:prefix there.
      allow("ArchiveKeys", ["s3:ListBucket"], [archive.bucket.bucketArn], { StringLike: { "s3:prefix": keys("*") } }),
      ...(packs === null
        ? []
        : [
            allow("Packs", WRITES, [packKeys]),
            allow("PackKeys", ["s3:ListBucket"], [packs.bucket.bucketArn], {
              StringLike: { "s3:prefix": keys(PACKS) },
            }),
          ]),
      allow("Token", ["secretsmanager:GetSecretValue"], [this.#secretArn(secretName(TAGGED_ACCOUNT))]),
      ...[...settings.tokenSecrets].map(([account, name]) =>
        allow(`TokenOf${account.replaceAll("-", "")}`, ["secretsmanager:GetSecretValue"], [this.#secretArn(name)], {
          StringEquals: { [`aws:PrincipalTag/${ACCOUNT_TAG}`]: account },
        }),
      ),
      ...(archive.key === null
        ? []
        : [
            allow("ArchiveKey", ["kms:Decrypt", "kms:GenerateDataKey"], [archive.key.keyArn], {
              StringEquals: { "kms:ViaService": `s3.${Stack.of(this).region}.${Stack.of(this).urlSuffix}` },
            }),
          ]),
    ];
  }

  #secretArn(name: string): string {
    const stack = Stack.of(this);
    return `arn:${stack.partition}:secretsmanager:${stack.region}:${stack.account}:secret:${name}${ARN_END}`;
  }
}
