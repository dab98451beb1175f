import { type App, Tags, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { DataStack } from "./data/data-stack.ts";
import { TokenStack } from "./data/token-stack.ts";
import { JobStack } from "./job/job-stack.ts";
import { tokenStackId } from "./names.ts";
import { type StackSettings, stackSettings } from "./settings.ts";

export interface Stacks {
  readonly data: DataStack;
  readonly tokens: readonly TokenStack[];
  readonly job: JobStack;
}

/** All stacks of the app, checked by cdk-nag when they are synthesised: a finding that nobody acknowledged is an error. */
export function addStacks(app: App, env: Readonly<Record<string, string | undefined>>): Stacks {
  const settings = stackSettings(app.node, env);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  Tags.of(app).add("application", "fillbook");
  const data = new DataStack(app, "FillbookData", settings);
  const tokens = [...accountsByTokenStack(settings)].map(([id, accounts]) => new TokenStack(app, id, { accounts }));
  const job = new JobStack(app, "FillbookJob", { settings, archive: data.archive });
  return { data, tokens, job };
}

/** Without those whose token is in a secret that exists already. */
function accountsByTokenStack({ accounts, tokenSecrets }: StackSettings): ReadonlyMap<string, readonly string[]> {
  return Map.groupBy(
    accounts.filter((account) => !tokenSecrets.has(account)),
    tokenStackId,
  );
}
