import { createHash } from "node:crypto";
import { Aws, type Stack } from "aws-cdk-lib";
import { ACCOUNT_TAG } from "../lambda/job/account-role.ts";

/*
 * Names that are fixed because something must say them before the named thing exists: a secret's policy names the role that reads it, the
 * roles' trust names the machines and the schedule group, a person names the machines. All else is named by CloudFormation.
 */

/** The role that reaches one account's archive and token: whoever takes it on must say which account, in the session tag `account`. */
export const ACCOUNT_ROLE = `fillbook-account-${Aws.REGION}`; // role names are global in an AWS account, so the region is part of it

/** The role that the page's function takes on for one account, in the same way. */
export const PAGE_ROLE = `fillbook-page-${Aws.REGION}`;

export function roleArn(stack: Stack, resourceName: string): string {
  return stack.formatArn({ service: "iam", region: "", resource: "role", resourceName });
}

/** As a policy's resource says it: the account that the session was opened for. */
export const TAGGED_ACCOUNT = `\${aws:PrincipalTag/${ACCOUNT_TAG}}`;

/** One account, on demand. */
export const MACHINE = "fillbook";

/** All accounts, each night. */
export const NIGHTLY_MACHINE = "fillbook-nightly";

export const SCHEDULE_GROUP = "fillbook";

/** Before `.auth.REGION.amazoncognito.com`: where the page's users sign in. Such names are everybody's, so the AWS account is part of it. */
export const SIGN_IN_PREFIX = `fillbook-${Aws.ACCOUNT_ID}`;

/** How the description of every token's secret begins; the account follows. */
export const TOKEN_DESCRIPTION = "fillbook: the trading service's token of account ";

/** Of the account's token. */
export function secretName(account: string): string {
  return `fillbook/${account}`;
}

/**
 * Of the stack that holds the account's secret. A stack has at most 500 resources, and an account must never move to another one when accounts
 * come and go: a secret that moves is an empty one.
 */
export function tokenStackId(account: string): string {
  return `FillbookTokens-${shareOf(account)}`;
}

/** Before the names of all stacks that hold the accounts' tables. */
export const TABLES_STACK = "FillbookTables-";

/** Of the stack that holds the account's table. */
export function tablesStackId(account: string): string {
  return `${TABLES_STACK}${shareOf(account)}`;
}

/** One of sixteen. */
function shareOf(account: string): string {
  return createHash("sha256").update(account).digest("hex").charAt(0);
}
