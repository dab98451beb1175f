import { type App, Tags, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { DataStack } from "./data/data-stack.ts";
import { TokenStack } from "./data/token-stack.ts";
import { JobStack } from "./job/job-stack.ts";
import { tokenStackId } from "./names.ts";
import { PageStack } from "./page/page-stack.ts";
import { UsersStack } from "./page/users-stack.ts";
import { type StackSettings, stackSettings } from "./settings.ts";
import { TableStack } from "./table/table-stack.ts";
import { APPLICATION_TAG } from "./watch/budget.ts";

/** All stacks of the app, checked by cdk-nag when they are synthesised: a finding that nobody acknowledged is an error. */
export function addStacks(app: App, env: Readonly<Record<string, string | undefined>>) {
  const settings = stackSettings(app.node, env);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  Tags.of(app).add(APPLICATION_TAG.key, APPLICATION_TAG.value);
  const data = new DataStack(app, "FillbookData", settings);
  const tokens = accountsByTokenStack(settings).map(([id, theirs]) => new TokenStack(app, id, theirs));
  const job = new JobStack(app, "FillbookJob", data, settings);
  const { queryLimitGb, accounts, prefix } = settings;
  const { archive } = data;
  const table =
    queryLimitGb === null ? null : new TableStack(app, "FillbookTable", { archive, prefix, accounts, queryLimitGb });
  if (settings.page === null) {
    return { data, tokens, job, table, page: null };
  }
  const users = new UsersStack(app, "FillbookUsers");
  const { domain } = settings.page;
  const page = new PageStack(app, "FillbookPage", { data, settings, domain, users, alarms: job.alarms });
  return { data, tokens, job, table, page: { users, page } };
}

/** Without those whose token is in a secret that exists already. */
function accountsByTokenStack({ accounts, tokenSecrets }: StackSettings): readonly [string, readonly string[]][] {
  const own = accounts.filter((account) => !tokenSecrets.has(account));
  return [...Map.groupBy(own, tokenStackId)];
}
