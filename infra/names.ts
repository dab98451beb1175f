import { createHash } from "node:crypto";
import { Aws, type Stack } from "aws-cdk-lib";
import { ACCOUNT_TAG } from "../lambda/job/account-role.ts";

/** The name of a deployment whose settings give none. */
export const DEFAULT_DEPLOYMENT = "fillbook";

/**
 * A role's name has the tightest limit of all names that contain the deployment's: 64 letters, of which
 * `-account-` and the region take some. The longest region has 15 (us-isof-south-1).
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
const MAX_DEPLOYMENT_LETTERS = 64 - "-account-".length - 15;

const NIGHTLY = "-nightly";

/**
 * What the name must be, if it is not a valid deployment name; null if it is valid. Every word begins with a
 * letter, so that no two names make the same stack (`a-b` and `ab` give AB and Ab). The machine of
 * `x-nightly` would be the nightly machine of `x`.
 */
function fault(name: string): string | null {
  if (!/^[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*$/.test(name) || name.length > MAX_DEPLOYMENT_LETTERS) {
    return `words of letters a-z and digits, each beginning with a letter, with one dash between them, such as fillbook-staging, with at most ${MAX_DEPLOYMENT_LETTERS} letters: the names of roles begin with it, and have 64 at most`;
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
 * All names that CloudFormation does not choose, each with the deployment's name in it, so that one AWS
 * account and region can have several deployments. A name is fixed if something must state it before the
 * named resource exists (a secret's policy names the role that reads it; the roles' trust names the machines
 * and the schedule group), or if people search for it. Throws an Error that says what is accepted.
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
    /** Also the value of the tag by which the budget finds this deployment's costs. */
    deployment,
    dataStack: stack("Data"),
    jobStack: stack("Job"),
    tableStack: stack("Table"),
    usersStack: stack("Users"),
    pageStack: stack("Page"),
    /**
     * The stack that holds the account's secret. A stack has at most 500 resources. An account must never
     * move to another stack when accounts are added or removed: a secret that moves is created again, empty.
     */
    tokenStack: (account: string) => `${capitals}Tokens-${shareOf(account)}`,
    /** The stack that holds the account's table. */
    tablesStack: (account: string) => `${capitals}Tables-${shareOf(account)}`,
    /** True for a stack that holds tables of accounts. */
    isTablesStack: (name: string) => name.startsWith(`${capitals}Tables-`),
    /** True for a stack of this deployment, whether these settings or earlier ones made it. */
    isOwnStack: (name: string) => ownStack.test(name),

    // Roles, dashboards and header policies are global in an AWS account, so their names include the region.
    /**
     * The role that reaches one account's archive and token. Whoever assumes it must name the account in the
     * session tag `account`.
     */
    accountRole: `${deployment}-account-${Aws.REGION}`,
    /** The role that the page's function assumes for one account, in the same way. */
    pageRole: `${deployment}-page-${Aws.REGION}`,
    dashboard: `${deployment}-${Aws.REGION}`,
    pageHeaders: `${deployment}-page-${Aws.REGION}`,

    /** Runs one account on demand. */
    machine: deployment,
    /** Runs all accounts each night. */
    nightlyMachine: `${deployment}${NIGHTLY}`,
    scheduleGroup: deployment,
    /** The secret of the account's token. */
    secret: (account: string) => `${deployment}/${account}`,
    /** The beginning of the description of every token's secret; the account follows. */
    tokenDescription: `${deployment}: the trading service's token of account `,

    userPool: deployment,
    /**
     * The part before `.auth.REGION.amazoncognito.com` of the address where the page's users sign in. Such
     * names are unique across AWS, so the name includes the AWS account.
     */
    signInDomain: `${deployment}-${Aws.ACCOUNT_ID}`,
    pageApi: `${deployment}-page`,

    /** The namespace of the metrics of functions and logs. */
    metrics: deployment,
    /** Also the subject of the alarm's mail. */
    alarm: (title: string) => `${deployment}: ${title}`,
    alarmSender: deployment,
    /** CloudWatch Logs Insights shows the part before the slash as a folder. */
    logQuery: (title: string) => `${deployment}/${title}`,

    /** The Glue database. A dash would have to be quoted in every query. */
    database: deployment.replaceAll("-", "_"),
    workGroup: deployment,
  } as const;
}

export type Names = ReturnType<typeof namesOf>;

export function roleArn(stack: Stack, resourceName: string): string {
  return stack.formatArn({ service: "iam", region: "", resource: "role", resourceName });
}

/** The account that the session was opened for, as a policy's resource writes it. */
export const TAGGED_ACCOUNT = `\${aws:PrincipalTag/${ACCOUNT_TAG}}`;

/** One of sixteen. */
function shareOf(account: string): string {
  return createHash("sha256").update(account).digest("hex").charAt(0);
}
