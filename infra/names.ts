import { Aws, type Stack } from "aws-cdk-lib";

/*
 * Names that are fixed because another resource's policy must say them before the named thing exists: the secret's policy names the
 * function's role, the roles' trust names the machine and the schedule group. All else is named by CloudFormation.
 */

/** Role names are global in an AWS account, so the region is part of it. */
export function functionRoleName(account: string): string {
  return `fillbook-${account}-${Aws.REGION}`;
}

export function functionRoleArn(stack: Stack, account: string): string {
  return stack.formatArn({ service: "iam", region: "", resource: "role", resourceName: functionRoleName(account) });
}

/** Of the state machine and of the schedule group. */
export function jobName(account: string): string {
  return `fillbook-${account}`;
}
