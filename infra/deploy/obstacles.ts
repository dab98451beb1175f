import { PAGE_PLACES } from "../page/page-function.ts";
import type { StackSettings } from "../settings.ts";
import { resourcesOf, type Templates } from "./assembly.ts";
import type { Concurrency, Identity, SecretState, StackState } from "./cloud.ts";
import { type ExportInUse, exportsInUse } from "./exports-in-use.ts";
import { secretsByAccount } from "./tokens.ts";

/** Something that would make the deployment fail or do harm. */
export interface Obstacle {
  readonly what: string;
  /** What a person does about it: complete commands or options. */
  readonly todo: string;
}

export interface Known {
  readonly settings: StackSettings;
  readonly identity: Identity;
  readonly region: string;
  readonly stacks: readonly StackState[];
  /** The templates of our stacks, including stacks that are no longer synthesised. */
  readonly deployed: Templates;
  readonly next: Templates;
  readonly secrets: readonly SecretState[];
  /** The lowest bootstrap version that the new stacks accept. */
  readonly bootstrapVersion: number;
  readonly concurrency: Concurrency;
  /** The concurrency that our functions reserve now; 0 if none, or if they do not exist yet. */
  readonly reserved: number;
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const MAX_RESOURCES = 500;
/**
 * Lambda keeps this much concurrency for functions that reserve none:
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html
 */
const MIN_UNRESERVED = 100;

/** Every obstacle; an empty list allows the deployment. */
export function obstacles(known: Known): readonly Obstacle[] {
  return [
    ...notBootstrapped(known),
    ...placeholders(known.settings),
    ...stuckStacks(known),
    ...forgottenPage(known),
    ...forgottenTables(known),
    ...lostExports(known),
    ...forgottenTokens(known),
    ...tooManyReserved(known),
    ...tooLarge(known.next),
  ];
}

function notBootstrapped({ stacks, bootstrapVersion, identity, region }: Known): readonly Obstacle[] {
  const versions = stacks.flatMap(({ outputs }) => outputs.get("BootstrapVersion") ?? []).map(Number);
  const newest = Math.max(0, ...versions);
  if (newest >= bootstrapVersion) {
    return [];
  }
  const what =
    newest === 0
      ? `the CDK has no bootstrap stack in ${region} of this AWS account`
      : `the CDK's bootstrap stack has version ${newest}, but ${bootstrapVersion} is needed`;
  return [{ what, todo: `npx cdk bootstrap aws://${identity.account}/${region}` }];
}

function placeholders(settings: StackSettings): readonly Obstacle[] {
  return (["accountUrl", "marketDataUrl"] as const)
    .filter((name) => new URL(settings[name]).hostname.endsWith(".invalid"))
    .map((name) => ({
      what: `the setting ${name} is not set: ${settings[name]} is only a placeholder`,
      todo: `-c ${name}=https://… with the trading service's address, or set it in fillbook.json`,
    }));
}

function stuckStacks({ stacks, next }: Known): readonly Obstacle[] {
  return stacks
    .filter(({ name }) => next.has(name))
    .flatMap(({ name, status }) => {
      if (status.endsWith("_IN_PROGRESS") && status !== "REVIEW_IN_PROGRESS") {
        return [{ what: `${name} is in ${status}: a deployment is in progress`, todo: "wait until it has ended" }];
      }
      if (/^(?:ROLLBACK_COMPLETE|ROLLBACK_FAILED|CREATE_FAILED|DELETE_FAILED)$/.test(status)) {
        const todo = `read its events, then delete it: ${deletionOf(name)}`;
        return [{ what: `${name} is in ${status} and cannot be updated`, todo }];
      }
      return [];
    });
}

/**
 * A page that the settings no longer make would stay deployed and keep importing from other stacks, which
 * then could not be updated.
 */
function forgottenPage({ settings, stacks }: Known): readonly Obstacle[] {
  return stacks
    .filter(({ name }) => settings.page === null && name === settings.names.pageStack)
    .map(({ name }) => ({
      what: "the page is deployed, but the setting page is off",
      todo: `to keep it, add -c page=on or, better, set it in fillbook.json; to delete it but keep its users: ${fullDeletionOf(name)}`,
    }));
}

/** Tables that the settings no longer make would stay deployed and silently answer with old data. */
function forgottenTables({ settings, stacks, next }: Known): readonly Obstacle[] {
  const { names } = settings;
  const isTables = (name: string) => name === names.tableStack || names.isTablesStack(name);
  const forgotten = stacks.map(({ name }) => name).filter((name) => isTables(name) && !next.has(name));
  if (forgotten.length === 0) {
    return [];
  }
  const deletions = forgotten.sort().reverse().map(fullDeletionOf).join(" && ");
  if (settings.queryLimitGb !== null) {
    const what = `${forgotten.join(" and ")} has tables of accounts that the settings no longer name; queries of them would return old data`;
    return [{ what, todo: `delete it: ${deletions}` }];
  }
  return [
    {
      what: "the archives are deployed as tables, but the setting queryLimitGb is none: new fills would no longer be published, and queries would return old data",
      todo: `to keep them, add -c queryLimitGb=10 or, better, set it in fillbook.json; to delete them, with the queries that people saved in their work group: ${deletions}`,
    },
  ];
}

/** Exports of the data stack that a change of settings removes, and the setting that keeps each. */
const STAYING = [
  {
    exports: /PacksBucket/,
    what: "the setting packLockDays is none, but packs are in a bucket of their own; the bucket would leave its stack while the job uses it, and nothing would show its packs",
    todo: "add -c packLockDays=0 or, better, set it in fillbook.json: packs stay in that bucket, and new ones are not locked",
  },
  {
    exports: /ArchiveKey/,
    what: "the setting encryption is s3, but fillbook has a key of its own; the key would leave its stack while the job uses it, and nothing could read what it encrypted",
    todo: "add -c encryption=s3-after-kms or, better, set it in fillbook.json: the key stays for existing objects, and S3's own keys encrypt new ones",
  },
] as const;

/** CloudFormation would refuse the change in the middle of the deployment. */
function lostExports({ deployed, next }: Known): readonly Obstacle[] {
  const lost = exportsInUse(deployed, next);
  const staying = STAYING.filter((one) => lost.some(({ name }) => one.exports.test(name)));
  const others = lost.filter(({ name }) => !staying.some((one) => one.exports.test(name)));
  return [...staying.map(({ what, todo }) => ({ what, todo })), ...others.map(otherExport)];
}

function otherExport({ exporter, name, importers }: ExportInUse): Obstacle {
  return {
    what: `${exporter} would change or remove its export ${name}, which ${importers.join(" and ")} ${importers.length === 1 ? "uses" : "use"}; CloudFormation refuses that`,
    todo: `if they hold no data, delete the stacks that use it and deploy again: ${importers.map(fullDeletionOf).join(" && ")}`,
  };
}

function deletionOf(stack: string): string {
  return `aws cloudformation delete-stack --stack-name ${stack}`;
}

function fullDeletionOf(stack: string): string {
  return `${deletionOf(stack)} && aws cloudformation wait stack-delete-complete --stack-name ${stack}`;
}

/** Accounts whose secret exists outside the stacks and that would get a new, empty secret. */
function forgottenTokens({ settings, secrets, deployed }: Known): readonly Obstacle[] {
  const owned = new Set(
    [...deployed.values()].flatMap((template) =>
      resourcesOf(template, "AWS::SecretsManager::Secret").map(([, { Properties = {} }]) => Properties["Name"]),
    ),
  );
  const older = secretsByAccount(secrets, settings.names);
  const forgotten = settings.accounts.flatMap((account) => {
    const names = older.get(account) ?? [];
    const [name] = names;
    const isSettled =
      settings.tokenSecrets.has(account) || owned.has(settings.names.secret(account)) || name === undefined;
    return isSettled ? [] : [{ account, name, names }];
  });
  if (forgotten.length === 0) {
    return [];
  }
  const pairs = [
    ...[...settings.tokenSecrets].map((pair) => pair.join("=")),
    ...forgotten.map(({ account, name }) => `${account}=${name}`),
  ];
  const listed = forgotten.map(({ account, names }) => `${account} (${names.join(", ")})`).join("; ");
  return [
    {
      what: `a secret already exists for ${listed}, but a new, empty one would be used`,
      todo: `to keep it, add -c tokenSecrets=${pairs.join(",")} or, better, set it in fillbook.json; delete it if it is not needed`,
    },
  ];
}

function tooManyReserved({ settings, concurrency, reserved }: Known): readonly Obstacle[] {
  const ofJob = settings.reservedConcurrency;
  const ofPage = settings.page === null ? 0 : PAGE_PLACES;
  const free = concurrency.unreserved + reserved;
  const wanted = (ofJob ?? 0) + ofPage;
  if (ofJob === null || wanted <= reserved || free - wanted >= MIN_UNRESERVED) {
    return [];
  }
  const most = free - MIN_UNRESERVED - ofPage;
  const less = most < 1 ? "" : `-c reservedConcurrency=${most}, or `;
  return [
    {
      what: `the function${ofPage === 0 ? "" : ` and the page, which takes ${ofPage},`} would reserve ${wanted} of the ${free} concurrent executions that are free in this region (limit ${concurrency.limit}), but Lambda keeps ${MIN_UNRESERVED} for other functions`,
      todo: `${less}-c reservedConcurrency=none, which reserves nothing; or request a higher quota: Service Quotas, Lambda, Concurrent executions`,
    },
  ];
}

function tooLarge(next: Templates): readonly Obstacle[] {
  return [...next]
    .map(([stack, template]) => ({ stack, resources: resourcesOf(template).length }))
    .filter(({ resources }) => resources > MAX_RESOURCES)
    .map(({ stack, resources }) => ({
      what: `${stack} has ${resources} resources, but CloudFormation allows ${MAX_RESOURCES} in a stack`,
      todo: "deploy fewer accounts here, and the others in another region or AWS account",
    }));
}
