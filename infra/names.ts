import { createHash } from "node:crypto";
import { Aws, type Stack } from "aws-cdk-lib";
import { ACCOUNT_TAG } from "../lambda/job/account-role.ts";

/**
 * The names that CloudFormation does not choose. A name is fixed if something must state it before the named
 * resource exists (a secret's policy names the role that reads it; the roles' trust names the machines), or if
 * people search for it. Roles and header policies are global in an AWS account, so their names include the region.
 */
export const NAMES = {
  /**
   * The role that reaches one account's archive and token. Whoever assumes it must name the account in the
   * session tag `account`.
   */
  accountRole: `fillbook-account-${Aws.REGION}`,
  /** The role that the page's function assumes for one account, in the same way. */
  pageRole: `fillbook-page-${Aws.REGION}`,
  /** Runs one account on demand. */
  machine: "fillbook",
  /** Runs all accounts each night. */
  nightlyMachine: "fillbook-nightly",
  /** The secret of the account's token. */
  secret: (account: string) => `fillbook/${account}`,
} as const;

/**
 * The stack that holds the account's secret, one of sixteen. A stack has at most 500 resources. An account
 * must never move to another stack when accounts are added or removed: a secret that moves is created again,
 * empty.
 */
export function tokenStackOf(account: string): string {
  return `FillbookTokens-${createHash("sha256").update(account).digest("hex").charAt(0)}`;
}

export function roleArn(stack: Stack, resourceName: string): string {
  return stack.formatArn({ service: "iam", region: "", resource: "role", resourceName });
}

/** The account that the session was opened for, as a policy's resource writes it. */
export const TAGGED_ACCOUNT = `\${aws:PrincipalTag/${ACCOUNT_TAG}}`;
