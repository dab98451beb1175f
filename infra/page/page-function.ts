import { Duration, Stack } from "aws-cdk-lib";
import type { IRole, PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import { NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import type { IBucket } from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { DataStack } from "../data/data-stack.ts";
import { accountList, bundled, logAndRole, readingList, SOURCE_MAPS, takingOn } from "../function.ts";
import { NAMES, roleArn } from "../names.ts";
import { addAll, allow, statesArn, taggedKeys, taggedRole } from "../roles.ts";
import type { StackSettings } from "../settings.ts";

/** An HTTP API waits for 30 s. */
const TIMEOUT = Duration.seconds(29);

/**
 * Concurrent executions that are reserved for the page, and its limit: however many requests come, the
 * nightly run and other functions keep theirs.
 */
const PAGE_PLACES = 10;

export interface PageFunction {
  readonly data: DataStack;
  readonly settings: StackSettings;
  /** The page's origin: `https://host`. */
  readonly origin: string;
  readonly signIn: { readonly url: string; readonly clientId: string };
}

/**
 * The page as a function, for all accounts and users. By itself it may only start and inspect runs;
 * everything else uses the role of one account.
 */
export function pageFunction(scope: Construct, { data, settings, origin, signIn }: PageFunction) {
  const here = new Construct(scope, "Server");
  const stack = Stack.of(scope);
  const { logGroup, role: own } = logAndRole(here, settings, "fillbook: the page's function");
  const role = pageRole(here, data, own);
  const list = accountList(here, settings.accounts);
  const machine = statesArn(stack, "stateMachine", NAMES.machine);
  addAll(own, [
    takingOn(roleArn(stack, NAMES.pageRole)),
    readingList("AccountList", list),
    allow("Jobs", ["states:StartExecution", "states:ListExecutions"], [machine]),
    allow(
      "JobStates",
      ["states:DescribeExecution", "states:StopExecution"],
      [statesArn(stack, "execution", `${NAMES.machine}:*`)],
    ),
  ]);
  const fn = new NodejsFunction(here, "Function", {
    ...bundled("lambda/page-handler.ts"),
    description: "fillbook: the accountant's page",
    memorySize: 512,
    timeout: TIMEOUT,
    ...(settings.reservedConcurrency === null ? {} : { reservedConcurrentExecutions: PAGE_PLACES }),
    role: own.withoutPolicyUpdates(),
    logGroup,
    environment: {
      ...data.stores,
      FILLBOOK_PAGE_ORIGIN: origin,
      FILLBOOK_PAGE_ROLE: role.roleArn,
      FILLBOOK_SIGN_IN_URL: signIn.url,
      FILLBOOK_SIGN_IN_CLIENT: signIn.clientId,
      FILLBOOK_MACHINE: machine,
      FILLBOOK_ACCOUNT_LIST: list.s3ObjectUrl,
      NODE_OPTIONS: SOURCE_MAPS,
    },
  });
  return { fn, logGroup };
}

const PACKS = "packs/*";
const DOWNLOADS = "downloads/*";
/** The user's files: what packs are made with. */
const INPUTS = "inputs/*";

/**
 * The keys of an archive that the page shows. Fills and the service's answers are not among them: only packs
 * need those.
 */
const ARCHIVE = ["head.json", "manifests/*", "restatements/*", "checks/*", DOWNLOADS, INPUTS] as const;

/**
 * What the page may do for one account: read what it shows, sign links to it, record downloads,
 * and change the user's files.
 */
function pageRole(scope: Construct, data: DataStack, taker: IRole): Role {
  const { archive, packs } = data;
  return taggedRole(scope, data, {
    name: NAMES.pageRole,
    description: "fillbook: what the page shows of the account that the session's tag names",
    taker,
    statements: [
      ...reading("Archive", archive.bucket, data, packs === null ? [...ARCHIVE, PACKS] : ARCHIVE),
      ...(packs === null ? [] : reading("Packs", packs, data, [PACKS])),
      allow("Records", ["s3:PutObject"], [archive.bucket.arnForObjects(taggedKeys(data, DOWNLOADS))]),
      allow("Inputs", ["s3:PutObject", "s3:DeleteObject"], [archive.bucket.arnForObjects(taggedKeys(data, INPUTS))]),
    ],
  });
}

/** Objects and their lists. Without the right to list, S3 answers 403 instead of 404 for a missing key. */
function reading(
  sid: string,
  bucket: IBucket,
  data: DataStack,
  patterns: readonly string[],
): readonly PolicyStatement[] {
  const keys = patterns.map((pattern) => taggedKeys(data, pattern));
  const objects = keys.map((key) => bucket.arnForObjects(key));
  return [
    allow(sid, ["s3:GetObject"], objects),
    allow(`${sid}Keys`, ["s3:ListBucket"], [bucket.bucketArn], { StringLike: { "s3:prefix": keys } }),
  ];
}
