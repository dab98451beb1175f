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

export interface Stacks {
  readonly data: DataStack;
  readonly tokens: readonly TokenStack[];
  readonly job: JobStack;
  readonly table: TableStack | null;
  readonly page: PageStacks | null;
}

export interface PageStacks {
  readonly users: UsersStack;
  readonly page: PageStack;
}

/** All stacks of the app, checked by cdk-nag when they are synthesised: a finding that nobody acknowledged is an error. */
export function addStacks(app: App, env: Readonly<Record<string, string | undefined>>): Stacks {
  const settings = stackSettings(app.node, env);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  Tags.of(app).add(APPLICATION_TAG.key, APPLICATION_TAG.value);
  const data = new DataStack(app, "FillbookData", settings);
  const tokens = [...accountsByTokenStack(settings)].map(
    ([id, theirs]) => new TokenStack(app, id, { accounts: theirs }),
  );
  const job = new JobStack(app, "FillbookJob", { settings, archive: data.archive, packs: data.packs });
  const { queryLimitGb, accounts, prefix } = settings;
  const table =
    queryLimitGb === null
      ? null
      : new TableStack(app, "FillbookTable", { archive: data.archive, prefix, accounts, queryLimitGb });
  return { data, tokens, job, table, page: pageStacks(app, settings, { data, job }) };
}

function pageStacks(app: App, settings: StackSettings, { data, job }: Pick<Stacks, "data" | "job">): PageStacks | null {
  if (settings.page === null) {
    return null;
  }
  const users = new UsersStack(app, "FillbookUsers");
  const { archive, packs } = data;
  const { domain } = settings.page;
  const page = new PageStack(app, "FillbookPage", {
    settings,
    domain,
    archive,
    packs,
    users,
    alarmTopic: job.alarmTopic,
  });
  return { users, page };
}

/** Without those whose token is in a secret that exists already. */
function accountsByTokenStack({ accounts, tokenSecrets }: StackSettings): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(
    accounts.filter((account) => !tokenSecrets.has(account)),
    tokenStackId,
  );
}
