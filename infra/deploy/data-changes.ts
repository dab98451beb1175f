import { isDeepStrictEqual } from "node:util";
import { type Resource, resourcesOf, type Template, type Templates } from "./assembly.ts";

/** Something that holds data, and that a deployment would take from its stack, put another in its place, change in a way that may do so, or lock for good. */
export interface Loss {
  /** `STACK/LogicalId`: what a person types to let go of it. */
  readonly name: string;
  readonly type: string;
  readonly why: string;
  /** What becomes of what it holds. */
  readonly fate: "left" | "replaced" | "deleted" | "unsure" | "locked";
}

/**
 * The types that hold data, each with the properties that change in place and delete nothing. A change of any other counts as a replacement, so that what is not
 * known here asks. CloudFormation's own answer (a change set) is what `cdk diff` shows above ours: it needs the template uploaded, the exports of stacks
 * that are not deployed yet, and says nothing of a bucket whose objects a new lifecycle rule deletes.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/
 */
const IN_PLACE: Readonly<Record<string, readonly string[]>> = {
  "AWS::S3::Bucket": [
    "AccelerateConfiguration",
    "BucketEncryption",
    "LoggingConfiguration",
    "MetricsConfigurations",
    "NotificationConfiguration",
    "OwnershipControls",
    "PublicAccessBlockConfiguration",
    "Tags",
  ],
  "AWS::SecretsManager::Secret": ["Description", "KmsKeyId", "Tags"],
  "AWS::KMS::Key": ["Description", "EnableKeyRotation", "KeyPolicy", "Tags"],
  // What CloudFormation would make anew, or refuse, is not among these: names, aliases, the schema. Nor is the pool's own protection.
  "AWS::Cognito::UserPool": [
    "AccountRecoverySetting",
    "AdminCreateUserConfig",
    "EmailConfiguration",
    "EmailVerificationMessage",
    "EmailVerificationSubject",
    "EnabledMfas",
    "MfaConfiguration",
    "Policies",
    "SmsVerificationMessage",
    "UserPoolTags",
    "UserPoolTier",
    "VerificationMessageTemplate",
  ],
  "AWS::Cognito::UserPoolGroup": ["Description", "Precedence"],
  "AWS::Logs::LogGroup": ["RetentionInDays", "Tags"],
};

/** Stacks that are not synthesised any more are not touched by a deployment, so nothing of theirs is in the answer. */
export function dataAtRisk(deployed: Templates, next: Templates): readonly Loss[] {
  return [...next].flatMap(([stack, after]) => lossesOf(stack, deployed.get(stack) ?? {}, after));
}

function lossesOf(stack: string, before: Template, after: Template): readonly Loss[] {
  const [old, young] = [new Map(resourcesOf(before)), new Map(resourcesOf(after))];
  return [...new Map([...young, ...old])].flatMap(([id, { Type: type }]) => {
    const why = reason(old.get(id), young.get(id));
    return why === null ? [] : [{ name: `${stack}/${id}`, type, ...why }];
  });
}

function reason(before: Resource | undefined, after: Resource | undefined): Pick<Loss, "why" | "fate"> | null {
  const lock = complianceLock(after);
  if (lock !== null && !isDeepStrictEqual(lock, complianceLock(before))) {
    return { why: "will hold what is put in it by a lock in compliance mode", fate: "locked" };
  }
  if (before === undefined || !Object.hasOwn(IN_PLACE, before.Type)) {
    return null;
  }
  if (after === undefined) {
    return { why: "is not part of the stack any more", fate: retains(before.DeletionPolicy) ? "left" : "deleted" };
  }
  const isKept = retains(before.UpdateReplacePolicy) && retains(after.UpdateReplacePolicy);
  if (after.Type !== before.Type) {
    return { why: `becomes a ${after.Type}`, fate: isKept ? "replaced" : "deleted" };
  }
  const changed = changedProperties(before, after);
  if (changed.length > 0) {
    return { why: `changes ${changed.join(", ")}, which may replace it or delete what it holds`, fate: "unsure" };
  }
  if (retains(before.DeletionPolicy) && !retains(after.DeletionPolicy)) {
    return { why: "would be deleted with its stack from now on", fate: "unsure" };
  }
  return null;
}

/** How long, as the template says it; null: it does not lock, or in a way that can be lifted. */
function complianceLock(resource: Resource | undefined): unknown {
  const { ObjectLockConfiguration: lock } = resource?.Properties ?? {};
  return JSON.stringify(lock)?.includes('"COMPLIANCE"') === true ? lock : null;
}

function changedProperties(before: Resource, after: Resource): readonly string[] {
  const [left, right] = [before.Properties ?? {}, after.Properties ?? {}];
  const harmless = IN_PLACE[before.Type] ?? [];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])]
    .filter((name) => !isDeepStrictEqual(left[name], right[name]))
    .filter((name) => !harmless.includes(name) || isShorter(name, left[name], right[name]))
    .sort();
}

/** Of a log: what is older than it keeps from now on goes. */
function isShorter(name: string, before: unknown, after: unknown): boolean {
  return name === "RetentionInDays" && after !== undefined && !(Number(before) <= Number(after));
}

function retains(policy: string | undefined): boolean {
  return policy === "Retain" || policy === "RetainExceptOnCreate";
}
