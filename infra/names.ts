import { createHash } from "node:crypto";
import { Aws, type Stack } from "aws-cdk-lib";
import { ACCOUNT_TAG } from "../lambda/job/account-role.ts";

/** Of a deployment whose settings name no other. */
export const DEFAULT_DEPLOYMENT = "fillbook";

/**
 * The tightest limit of a name that is made of the deployment's is that of a role, 64 letters, of which
 * `-account-` and the region take some. The longest region has 15 (us-isof-south-1).
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
export const MAX_DEPLOYMENT_LETTERS = 64 - "-account-".length - 15;

const NIGHTLY = "-nightly";

/**
 * What a name must be, where it may not be a deployment's; null: it may. Every word begins with a letter, so
 * that no two names make the same stack (`a-b` and `ab` are AB and Ab); the machine of `x-nightly` would be
 * the nightly one of `x`.
 */
function fault(name: string): string | null {
  if (!/^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/.test(name) || name.length > MAX_DEPLOYMENT_LETTERS) {
    return `words of the letters a-z and digits that begin with a letter, with one dash between them, such as fillbook-staging, and at most ${MAX_DEPLOYMENT_LETTERS} letters: the names of roles begin with it, and have 64 at most`;
  }
  if (name.endsWith(NIGHTLY)) {
    return `a name that does not end in ${NIGHTLY}: the nightly state machine of another deployment may have it`;
  }
  return /aws|amazon|cognito/.test(name)
    ? "a name without aws, amazon or cognito in it, which Cognito refuses in the address of its pages"
    : null;
}

const STACKS = ["Data", "Job", "Table", "Users", "Page"] as const;

/**
 * All names that are not CloudFormation's own, each with the deployment's in it: several deployments can be
 * in one AWS account and region. A name is fixed where something must say it before the named thing exists (a
 * secret's policy names the role that reads it, the roles' trust names the machines and the schedule group),
 * or where people look for it. Throws an Error that says what is accepted.
 */
export function namesOf(deployment: string) {
  const wanted = fault(deployment);
  if (wanted !== null) {
    throw new Error(`setting deployment is "${deployment}", but must be ${wanted}`);
  }
  const capitals = deployment.replaceAll(/(?:^|-)([a-z])/g, (_, first: string) => first.toUpperCase());
  const stack = (ending: (typeof STACKS)[number]) => `${capitals}${ending}`;
  const ownStack = new RegExp(`^${capitals}(?:${STACKS.join("|")}|(?:Tokens|Tables)-[0-9a-f])$`);
  return {
    /** Also the value of the tag by which the budget knows what is of this deployment. */
    deployment,
    dataStack: stack("Data"),
    jobStack: stack("Job"),
    tableStack: stack("Table"),
    usersStack: stack("Users"),
    pageStack: stack("Page"),
    /**
     * Of the stack that holds the account's secret. A stack has at most 500 resources, and an account must
     * never move to another one when accounts come and go: a secret that moves is an empty one.
     */
    tokenStack: (account: string) => `${capitals}Tokens-${shareOf(account)}`,
    /** Of the stack that holds the account's table. */
    tablesStack: (account: string) => `${capitals}Tables-${shareOf(account)}`,
    /** Whether a stack holds tables of accounts. */
    isTablesStack: (name: string) => name.startsWith(`${capitals}Tables-`),
    /** Whether it is a stack of this deployment, made by these settings or by others. */
    isOwnStack: (name: string) => ownStack.test(name),

    // Names of roles, dashboards and policies of headers are global in an AWS account, so the region is part
    // of them.
    /**
     * The role that reaches one account's archive and token: whoever takes it on must say which account, in
     * the session tag `account`.
     */
    accountRole: `${deployment}-account-${Aws.REGION}`,
    /** The role that the page's function takes on for one account, in the same way. */
    pageRole: `${deployment}-page-${Aws.REGION}`,
    dashboard: `${deployment}-${Aws.REGION}`,
    pageHeaders: `${deployment}-page-${Aws.REGION}`,

    /** One account, on demand. */
    machine: deployment,
    /** All accounts, each night. */
    nightlyMachine: `${deployment}${NIGHTLY}`,
    scheduleGroup: deployment,
    /** Of the account's token. */
    secret: (account: string) => `${deployment}/${account}`,
    /** How the description of every token's secret begins; the account follows. */
    tokenDescription: `${deployment}: the trading service's token of account `,

    userPool: deployment,
    /**
     * Before `.auth.REGION.amazoncognito.com`: where the page's users sign in. Such names are everybody's, so
     * the AWS account is part of it.
     */
    signInDomain: `${deployment}-${Aws.ACCOUNT_ID}`,
    pageApi: `${deployment}-page`,

    /** Namespace of the metrics that the functions and logs make. */
    metrics: deployment,
    /** What the subject of the mail says. */
    alarm: (title: string) => `${deployment}: ${title}`,
    alarmSender: deployment,
    /** In the folder of that name in CloudWatch Logs Insights. */
    logQuery: (title: string) => `${deployment}/${title}`,

    /** Of Glue; a dash would have to be quoted in every query. */
    database: deployment.replaceAll("-", "_"),
    workGroup: deployment,
  } as const;
}

export type Names = ReturnType<typeof namesOf>;

export function roleArn(stack: Stack, resourceName: string): string {
  return stack.formatArn({ service: "iam", region: "", resource: "role", resourceName });
}

/** As a policy's resource says it: the account that the session was opened for. */
export const TAGGED_ACCOUNT = `\${aws:PrincipalTag/${ACCOUNT_TAG}}`;

/** One of sixteen. */
function shareOf(account: string): string {
  return createHash("sha256").update(account).digest("hex").charAt(0);
}
