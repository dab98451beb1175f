import { type App, Tags, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { DataStack } from "./data-stack.ts";
import { JobStack } from "./job-stack.ts";
import { stackSettings } from "./settings.ts";

/** All stacks of the app, checked by cdk-nag when they are synthesised: a finding that nobody acknowledged is an error. */
export function addStacks(
  app: App,
  env: Readonly<Record<string, string | undefined>>,
): { readonly data: DataStack; readonly jobs: readonly JobStack[] } {
  const settings = stackSettings(app.node, env);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  Tags.of(app).add("application", "fillbook");
  const data = new DataStack(app, "FillbookData", settings);
  const jobs = [...data.secrets].map(
    ([account, secret]) =>
      new JobStack(app, `FillbookJob-${account}`, { account, secret, settings, archive: data.archive }),
  );
  return { data, jobs };
}
