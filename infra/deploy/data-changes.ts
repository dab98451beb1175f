import { isDeepStrictEqual } from "node:util";
import { type Resource, resourcesOf, type Template, type Templates } from "./assembly.ts";

/**
 * A resource with data that a deployment would remove from its stack, replace, change in a way that may lose
 * data, or lock for good.
 */
export interface Loss {
  /** `STACK/LogicalId`: the name that a person types to agree to the change. */
  readonly name: string;
  readonly type: string;
  readonly why: string;
  /** What happens to the data. */
  readonly fate: "left" | "replaced" | "deleted" | "unsure" | "locked";
}

/**
 * The resource types that hold data, each with the properties whose change neither replaces the resource nor
 * deletes data. A change of any other property counts as a replacement, so that an unknown property leads to
 * a question. CloudFormation's own answer (a change set) is what `cdk diff` shows above this list. It does
 * not suffice: it needs the uploaded template and the exports of stacks that are not deployed yet, and it
 * does not report objects that a new lifecycle rule deletes.
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
  // The list leaves out the properties whose change replaces the pool or is refused by CloudFormation: names,
  // aliases, the schema. It also leaves out the pool's deletion protection.
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

/**
 * A deployment does not touch stacks that are no longer synthesised, so the answer leaves their resources
 * out.
 */
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
    return { why: "will lock what is put in it, in compliance mode", fate: "locked" };
  }
  if (before === undefined || !Object.hasOwn(IN_PLACE, before.Type)) {
    return null;
  }
  if (after === undefined) {
    return { why: "is no longer part of the stack", fate: retains(before.DeletionPolicy) ? "left" : "deleted" };
  }
  const isKept = retains(before.UpdateReplacePolicy) && retains(after.UpdateReplacePolicy);
  if (after.Type !== before.Type) {
    return { why: `becomes a ${after.Type}`, fate: isKept ? "replaced" : "deleted" };
  }
  const changed = changedProperties(before, after);
  if (changed.length > 0) {
    return { why: `changes ${changed.join(", ")}, which may replace it or delete its data`, fate: "unsure" };
  }
  if (retains(before.DeletionPolicy) && !retains(after.DeletionPolicy)) {
    return { why: "would from now on be deleted together with its stack", fate: "unsure" };
  }
  return null;
}

/**
 * The lock's period, as the template writes it. Null if there is no lock, or if it can be lifted
 * (governance).
 */
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

/** True if a log's retention shrinks: older entries would be deleted. */
function isShorter(name: string, before: unknown, after: unknown): boolean {
  return name === "RetentionInDays" && after !== undefined && !(Number(before) <= Number(after));
}

function retains(policy: string | undefined): boolean {
  return policy === "Retain" || policy === "RetainExceptOnCreate";
}
