import { ArnFormat, Stack } from "aws-cdk-lib";
import { CompositePrincipal, Effect, type IRole, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { ACCOUNT_TAG } from "../lambda/job/account-role.ts";
import { acknowledge } from "./acknowledgements.ts";
import type { ArchiveBucket } from "./data/buckets.ts";
import type { DataStack } from "./data/data-stack.ts";
import { TAGGED_ACCOUNT } from "./names.ts";

/** A statement of a role's policy. */
export function allow(
  sid: string,
  actions: string[],
  resources: string[],
  conditions: Record<string, unknown> = {},
): PolicyStatement {
  return new PolicyStatement({ sid, effect: Effect.ALLOW, actions, resources, conditions });
}

export function addAll(role: Role, statements: readonly PolicyStatement[]): void {
  for (const statement of statements) {
    role.addToPolicy(statement);
  }
}

/** `name`: with a colon before it, as ARNs of Step Functions have it. */
export function statesArn(stack: Stack, resource: "stateMachine" | "execution", name: string): string {
  return stack.formatArn({
    service: "states",
    resource,
    resourceName: name,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/**
 * Accepts that a role reaches executions, whose names nobody knows beforehand. `name`: as `statesArn` takes
 * it.
 */
export function acceptExecutions(role: Role, name: string): void {
  const arn = `arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${name}`;
  acknowledge(role, "AwsSolutions-IAM5", `Resource::${arn}`);
}

/**
 * How the data stack exports the buckets' ARNs to the other stacks: part of the findings that are
 * acknowledged.
 */
const ARN_EXPORTS = {
  archive: "ExportsOutputFnGetAttArchiveBucket49F1AC64Arn3FBD647E",
  packs: "ExportsOutputFnGetAttPacksBucketD74B7A78ArnFEA25008",
} as const;

export interface TaggedRole {
  readonly name: string;
  readonly description: string;
  /** The only roles that may take this one on: of functions, and of tasks. */
  readonly takers: readonly IRole[];
  readonly statements: readonly PolicyStatement[];
  /** Keys of which the role reaches all that begin so: below the account's prefix. */
  readonly accepted: readonly (readonly [bucket: keyof typeof ARN_EXPORTS, patterns: readonly string[]])[];
}

/**
 * A role for one account at a time: who takes it on says which account in the session's tag, and every
 * resource has the tag in it. So one role is for all accounts, and no session reaches two.
 */
export function taggedRole(scope: Construct, data: DataStack, { name, takers, ...wanted }: TaggedRole): Role {
  const principals = takers.map(({ grantPrincipal }) => grantPrincipal);
  const role = new Role(new Construct(scope, "Account"), "Role", {
    roleName: name,
    description: wanted.description,
    assumedBy: new CompositePrincipal(...principals),
  });
  role.assumeRolePolicy?.addStatements(
    new PolicyStatement({
      sid: "WithAnAccount",
      effect: Effect.ALLOW,
      principals,
      actions: ["sts:TagSession"],
      conditions: { "ForAllValues:StringEquals": { "aws:TagKeys": [ACCOUNT_TAG] } },
    }),
  );
  addAll(role, [...wanted.statements, ...keyUse(Stack.of(scope), data.archive)]);
  for (const [bucket, patterns] of wanted.accepted) {
    for (const pattern of patterns) {
      const keys = `${data.prefix}/<aws:PrincipalTag/${ACCOUNT_TAG}>/${pattern}`;
      acknowledge(role, "AwsSolutions-IAM5", `Resource::${data.stackName}:${ARN_EXPORTS[bucket]}/${keys}`);
    }
  }
  return role;
}

/** Where the key is our own: its use through S3. */
function keyUse({ region, urlSuffix }: Stack, { key }: ArchiveBucket): readonly PolicyStatement[] {
  const conditions = { StringEquals: { "kms:ViaService": `s3.${region}.${urlSuffix}` } };
  return key === null ? [] : [allow("ArchiveKey", ["kms:Decrypt", "kms:GenerateDataKey"], [key.keyArn], conditions)];
}

/** Keys of the session's account, as a policy writes them. */
export function taggedKeys({ prefix }: DataStack, pattern: string): string {
  return `${prefix}/${TAGGED_ACCOUNT}/${pattern}`;
}

/**
 * The role of the state machine `name`: for that machine of this AWS account alone, and with the function as
 * all it may call. `children`: names of the machines that a Distributed Map of it is called by.
 */
export function machineRole(scope: Construct, functionArn: string, name: string, ...children: string[]): Role {
  const stack = Stack.of(scope);
  const role = new Role(scope, "Role", {
    description: `fillbook: the state machine ${name}`,
    assumedBy: new ServicePrincipal("states.amazonaws.com", {
      conditions: {
        StringEquals: { "aws:SourceAccount": stack.account },
        ArnEquals: { "aws:SourceArn": [name, ...children].map((one) => statesArn(stack, "stateMachine", one)) },
      },
    }),
  });
  role.addToPolicy(allow("Slices", ["lambda:InvokeFunction"], [functionArn]));
  return role;
}
