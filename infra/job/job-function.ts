import { Duration, Stack } from "aws-cdk-lib";
import type { IRole, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import { NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import { Construct } from "constructs";
import { ACCOUNT_TAG } from "../../lambda/job/account-role.ts";
import type { DataStack } from "../data/data-stack.ts";
import { bundled, logAndRole, SOURCE_MAPS, takingOn } from "../function.ts";
import { NAMES, roleArn, TAGGED_ACCOUNT } from "../names.ts";
import { allow, TABLE, taggedKeys, taggedRole } from "../roles.ts";
import type { StackSettings } from "../settings.ts";

const TIMEOUT = Duration.minutes(15);

/**
 * The export as a function for all accounts: its bundle and its log. All that it may do by itself is assume
 * the role of an account.
 */
export function jobFunction(scope: Construct, data: DataStack, settings: StackSettings) {
  const here = new Construct(scope, "Job");
  const { logGroup, role: own } = logAndRole(here, settings, "fillbook: the function");
  const role = accountRole(here, data, settings.tokenSecrets, own);
  own.addToPolicy(takingOn(roleArn(Stack.of(scope), NAMES.accountRole)));
  const { reservedConcurrency } = settings;
  const fn = new NodejsFunction(here, "Function", {
    ...bundled("lambda/handler.ts"),
    description: "fillbook: walks and exports an account, one slice an invocation",
    memorySize: 1769, // one whole processor
    timeout: TIMEOUT,
    ...(reservedConcurrency === null ? {} : { reservedConcurrentExecutions: reservedConcurrency }),
    retryAttempts: 0,
    role: own.withoutPolicyUpdates(),
    logGroup,
    environment: environmentOf(data, settings, role),
  });
  return { fn, logGroup };
}

function environmentOf(data: DataStack, settings: StackSettings, { roleArn: account }: Role): Record<string, string> {
  const { accounts, maxRps, tokenSecrets } = settings;
  return {
    ...(accounts.length === 1 ? { FILLBOOK_ACCOUNT: accounts.join() } : {}),
    FILLBOOK_ACCOUNT_ROLE: account,
    ...data.stores,
    FILLBOOK_ACCOUNT_URL: settings.accountUrl,
    FILLBOOK_MARKET_DATA_URL: settings.marketDataUrl,
    FILLBOOK_TOKEN_SECRET: NAMES.secret("{account}"),
    ...(tokenSecrets.size === 0
      ? {}
      : { FILLBOOK_TOKEN_SECRETS: [...tokenSecrets].map((pair) => pair.join("=")).join(",") }),
    FILLBOOK_LOOK_BACK_DAYS: String(settings.lookBackDays),
    ...(maxRps === null ? {} : { FILLBOOK_MAX_RPS: String(maxRps) }),
    NODE_OPTIONS: `${SOURCE_MAPS} --max-semi-space-size=16`, // a run takes 300 MB, not 400
  };
}

const PACKS = "packs/*";

/**
 * The keys at which orphans are collected (lambda/archive/collect.ts), apart from the months in table/ that
 * have lost their fills. They include neither the head nor packs, which the bucket's own policy protects too.
 */
const COLLECTED = ["manifests/*", "fills/*", "restatements/*"] as const;

/**
 * The keys of the archive that a run writes. They exclude `inputs/`, which the user owns, and `downloads/`,
 * which records what users of the page did.
 */
const WRITTEN = ["head.json", "contracts/*", "checks/*", "readings/*", "unfiled/*", TABLE, ...COLLECTED] as const;

/** Secrets Manager appends a dash and six random characters to a secret's ARN. */
const ARN_END = "-??????";

/**
 * The permissions of one account's run: the archive and the token of the account that its session is tagged
 * with.
 */
function accountRole(
  scope: Construct,
  data: DataStack,
  tokenSecrets: StackSettings["tokenSecrets"],
  taker: IRole,
): Role {
  const { archive, packs } = data;
  const keys = (pattern: string) => taggedKeys(data, pattern);
  const archived = (pattern: string) => archive.bucket.arnForObjects(keys(pattern));
  const packKeys = (packs ?? archive.bucket).arnForObjects(keys(PACKS));
  const { partition, region, account: owner } = Stack.of(scope);
  const token = (sid: string, name: string, conditions = {}): PolicyStatement => {
    const arn = `arn:${partition}:secretsmanager:${region}:${owner}:secret:${name}${ARN_END}`;
    return allow(sid, ["secretsmanager:GetSecretValue"], [arn], conditions);
  };
  return taggedRole(scope, data, {
    name: NAMES.accountRole,
    description: "fillbook: the archive and the token of the account that the session's tag names",
    taker,
    statements: [
      allow("Archive", ["s3:GetObject"], [archived("*"), archived(TABLE)]),
      allow("ArchiveWrites", ["s3:PutObject"], [...WRITTEN, ...(packs === null ? [PACKS] : [])].map(archived)),
      // Only packs are uploaded in parts.
      allow("PackUploads", ["s3:AbortMultipartUpload"], [packKeys]),
      allow("Orphans", ["s3:DeleteObject"], [...COLLECTED, TABLE].map(archived)),
      // Without ListBucket, S3 answers 403 for a missing key. In that case S3 compares the requested key with
      // s3:prefix.
      allow("ArchiveKeys", ["s3:ListBucket"], [archive.bucket.bucketArn], {
        StringLike: { "s3:prefix": [keys("*"), keys(TABLE)] },
      }),
      ...(packs === null
        ? []
        : [
            allow("Packs", ["s3:GetObject", "s3:PutObject"], [packKeys]),
            allow("PackKeys", ["s3:ListBucket"], [packs.bucketArn], { StringLike: { "s3:prefix": keys(PACKS) } }),
          ]),
      token("Token", NAMES.secret(TAGGED_ACCOUNT)),
      ...[...tokenSecrets].map(([account, name]) =>
        token(`TokenOf${account.replaceAll("-", "")}`, name, {
          StringEquals: { [`aws:PrincipalTag/${ACCOUNT_TAG}`]: account },
        }),
      ),
    ],
  });
}
