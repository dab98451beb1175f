import { type App, Aws, Stack, Tags, Validations } from "aws-cdk-lib";
import { ManagedPolicy, PermissionsBoundary } from "aws-cdk-lib/aws-iam";
import { AwsSolutionsChecks } from "cdk-nag";
import { DataStack } from "./data/data-stack.ts";
import { TokenStack } from "./data/token-stack.ts";
import { JobStack } from "./job/job-stack.ts";
import { PageStack } from "./page/page-stack.ts";
import { UsersStack } from "./page/users-stack.ts";
import { type StackSettings, stackSettings } from "./settings.ts";
import { AccountTablesStack } from "./table/account-tables-stack.ts";
import { TableStack } from "./table/table-stack.ts";
import { APPLICATION_TAG } from "./watch/budget.ts";

/**
 * All stacks of the app. cdk-nag checks them when they are synthesised: a finding that nobody acknowledged is
 * an error.
 */
export function addStacks(
  app: App,
  env: Readonly<Record<string, string | undefined>>,
  file: Readonly<Record<string, unknown>> = {},
) {
  const settings = stackSettings(app.node, env, file);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  for (const [key, value] of [...settings.tags, [APPLICATION_TAG, settings.names.deployment] as const]) {
    Tags.of(app).add(key, value);
  }
  const stacks = makeStacks(app, settings);
  if (settings.permissionsBoundary !== null) {
    boundAll(app, settings.permissionsBoundary);
  }
  return stacks;
}

function makeStacks(app: App, settings: StackSettings) {
  const { names, queryLimitGb, accounts, prefix } = settings;
  const data = new DataStack(app, names.dataStack, settings);
  const tokens = accountsByTokenStack(settings).map(
    ([id, theirs]) => new TokenStack(app, id, { names, accounts: theirs }),
  );
  const job = new JobStack(app, names.jobStack, data, settings);
  const { archive } = data;
  const table = queryLimitGb === null ? null : new TableStack(app, names.tableStack, { names, accounts, queryLimitGb });
  if (table !== null) {
    for (const [id, theirs] of Map.groupBy(accounts, names.tablesStack)) {
      const database = names.database;
      new AccountTablesStack(app, id, { archive, prefix, database, accounts: theirs }).addDependency(table);
    }
  }
  if (settings.page === null) {
    return { data, tokens, job, table, page: null };
  }
  const { domain } = settings.page;
  const users = new UsersStack(app, names.usersStack, { names, domain });
  const page = new PageStack(app, names.pageStack, { data, settings, domain, users, alarms: job.alarms });
  return { data, tokens, job, table, page: { users, page } };
}

/**
 * Limits every role to what the policy allows, whatever its own policies say. `policy`: a name in this AWS
 * account, or an ARN.
 */
function boundAll(app: App, policy: string): void {
  const arn = policy.startsWith("arn:") ? policy : `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:policy/${policy}`;
  for (const stack of app.node.children.filter((child) => Stack.isStack(child))) {
    PermissionsBoundary.of(stack).apply(ManagedPolicy.fromManagedPolicyArn(stack, "Boundary", arn));
  }
}

/** Leaves out accounts whose token is in an existing secret. */
function accountsByTokenStack({
  names,
  accounts,
  tokenSecrets,
}: StackSettings): readonly [string, readonly string[]][] {
  const own = accounts.filter((account) => !tokenSecrets.has(account));
  return [...Map.groupBy(own, names.tokenStack)];
}
