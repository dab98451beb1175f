import { Stack } from "aws-cdk-lib";
import type { IRole, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { ACCOUNT_TAG } from "../../lambda/job/account-role.ts";
import { allow } from "../allow.ts";
import type { ArchiveBucket } from "../data/archive-bucket.ts";
import type { PackBucket } from "../data/pack-bucket.ts";
import { accountRoleName, secretName, TAGGED_ACCOUNT } from "../names.ts";
import type { StackSettings } from "../settings.ts";
import { acceptKeys, keyUse, taggedKeys, taggedRole } from "../tagged-role.ts";

const WRITES = ["s3:GetObject", "s3:PutObject"];

const PACKS = "packs/*";
const ZIPS = "zips/*";

/** Where orphans are collected (lambda/archive/collect.ts): neither the head nor packs, which the bucket's own policy protects too. */
const COLLECTED = ["manifests/*", "index/*", "fills/*", "pages/*", "restatements/*", ZIPS] as const;

/** Secrets Manager ends a secret's ARN with a dash and six letters of its own. */
const ARN_END = "-??????";

export interface AccountRoleProps {
  readonly archive: ArchiveBucket;
  /** Where packs are, if not in the archive's bucket. */
  readonly packs: PackBucket | null;
  readonly settings: Pick<StackSettings, "prefix" | "tokenSecrets">;
}

/** What one account's run may do: reach the archive and the token of the account that its session is tagged with (infra/tagged-role.ts). */
export class AccountRole extends Construct {
  readonly role: Role;
  readonly #props: AccountRoleProps;

  /** `fn`: the function's own role, the only one that may take this one on. */
  constructor(scope: Construct, id: string, props: AccountRoleProps & { readonly fn: IRole }) {
    super(scope, id);
    this.#props = props;
    const { archive, packs, settings, fn } = props;
    this.role = taggedRole(this, {
      roleName: accountRoleName(),
      description: "fillbook: the archive and the token of the account that the session's tag names",
      fn,
    });
    for (const statement of this.#permissions()) {
      this.role.addToPolicy(statement);
    }
    acceptKeys(this.role, archive, settings.prefix, ["*", ...COLLECTED]);
    acceptKeys(this.role, packs ?? archive, settings.prefix, [PACKS]);
  }

  #permissions(): readonly PolicyStatement[] {
    const { archive, packs, settings } = this.#props;
    const keys = (pattern: string) => taggedKeys(settings.prefix, pattern);
    const archived = (pattern: string) => archive.bucket.arnForObjects(keys(pattern));
    const packKeys = (packs ?? archive).bucket.arnForObjects(keys(PACKS));
    return [
      allow("Archive", WRITES, [archived("*")]),
      // These alone are uploaded in parts.
      allow("PackUploads", ["s3:AbortMultipartUpload"], [packKeys, archived(ZIPS)]),
      allow("Orphans", ["s3:DeleteObject"], COLLECTED.map(archived)),
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
      ...keyUse(this, archive),
    ];
  }

  #secretArn(name: string): string {
    const stack = Stack.of(this);
    return `arn:${stack.partition}:secretsmanager:${stack.region}:${stack.account}:secret:${name}${ARN_END}`;
  }
}
