import { ArnFormat, Stack } from "aws-cdk-lib";
import { AnyPrincipal, Effect, type IRole, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { ACCOUNT_TAG } from "../lambda/job/account-role.ts";
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

/** A statement of a resource's policy: refused to everybody, whatever else allows it. */
export function deny(
  sid: string,
  actions: string[],
  resources: string[],
  conditions: Record<string, unknown> = {},
): PolicyStatement {
  const principals = [new AnyPrincipal()];
  return new PolicyStatement({ sid, effect: Effect.DENY, principals, actions, resources, conditions });
}

export function addAll(role: Role, statements: readonly PolicyStatement[]): void {
  for (const statement of statements) {
    role.addToPolicy(statement);
  }
}

/** `name`: with a colon before it, as Step Functions' ARNs have it. */
export function statesArn(stack: Stack, resource: "stateMachine" | "execution", name: string): string {
  return stack.formatArn({
    service: "states",
    resource,
    resourceName: name,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

export interface TaggedRole {
  readonly name: string;
  readonly description: string;
  /** The only role, of a function, that may assume this one. */
  readonly taker: IRole;
  readonly statements: readonly PolicyStatement[];
}

/**
 * A role for one account at a time: the session's tag names the account, and every resource of the policy
 * contains the tag. One role serves all accounts, and no session reaches two.
 */
export function taggedRole(scope: Construct, data: DataStack, { name, taker, ...wanted }: TaggedRole): Role {
  const role = new Role(new Construct(scope, "Account"), "Role", {
    roleName: name,
    description: wanted.description,
    assumedBy: taker.grantPrincipal,
  });
  role.assumeRolePolicy?.addStatements(
    new PolicyStatement({
      sid: "WithAnAccount",
      effect: Effect.ALLOW,
      principals: [taker.grantPrincipal],
      actions: ["sts:TagSession"],
      conditions: { "ForAllValues:StringEquals": { "aws:TagKeys": [ACCOUNT_TAG] } },
    }),
  );
  addAll(role, [...wanted.statements, ...keyUse(Stack.of(scope), data.archive)]);
  return role;
}

/** Use of our own key through S3, if there is one. */
function keyUse({ region, urlSuffix }: Stack, { key }: ArchiveBucket): readonly PolicyStatement[] {
  const conditions = { StringEquals: { "kms:ViaService": `s3.${region}.${urlSuffix}` } };
  return key === null ? [] : [allow("ArchiveKey", ["kms:Decrypt", "kms:GenerateDataKey"], [key.keyArn], conditions)];
}

/** The account's part of table/, which all accounts share. */
export const TABLE = "table/*";

/** Keys of the session's account, as a policy writes them. */
export function taggedKeys({ prefix }: DataStack, pattern: string): string {
  return pattern === TABLE ? `${prefix}/table/account=${TAGGED_ACCOUNT}/*` : `${prefix}/${TAGGED_ACCOUNT}/${pattern}`;
}

/**
 * The role of the state machine `name`: only that machine of this AWS account may assume it, and it may only
 * call the function. `children`: names of the machines whose Distributed Map starts it.
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
