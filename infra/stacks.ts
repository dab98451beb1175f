import { Annotations, type App, Aws, Stack, Tags, Validations } from "aws-cdk-lib";
import { ManagedPolicy, PermissionsBoundary } from "aws-cdk-lib/aws-iam";
import { accept, Checks } from "./checks.ts";
import { DataStack } from "./data/data-stack.ts";
import { TokenStack } from "./data/token-stack.ts";
import { JobStack } from "./job/job-stack.ts";
import { tokenStackOf } from "./names.ts";
import { PageStack } from "./page/page-stack.ts";
import { UsersStack } from "./page/users-stack.ts";
import { type StackSettings, stackSettings } from "./settings.ts";

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
  Validations.of(app).addPlugins(new Checks(app));
  for (const [key, value] of settings.tags) {
    Tags.of(app).add(key, value);
  }
  const stacks = makeStacks(app, settings);
  if (settings.permissionsBoundary !== null) {
    boundAll(app, settings.permissionsBoundary);
  }
  for (const name of ["accountUrl", "marketDataUrl"] as const) {
    if (new URL(settings[name]).hostname.endsWith(".invalid")) {
      Annotations.of(stacks.job).addWarningV2(
        `fillbook:${name}`,
        `the setting ${name} is not set: ${settings[name]} is only a placeholder, and no run can succeed`,
      );
    }
  }
  return stacks;
}

function makeStacks(app: App, settings: StackSettings) {
  const { accounts, tokenSecrets } = settings;
  const data = new DataStack(app, "FillbookData", settings);
  const own = accounts.filter((account) => !tokenSecrets.has(account)); // the others' tokens are in existing secrets
  const tokens = [...Map.groupBy(own, tokenStackOf)].map(([id, theirs]) => new TokenStack(app, id, theirs));
  const job = new JobStack(app, "FillbookJob", data, settings);
  accept(job, "SF1", "SF2");
  for (const stack of tokens) {
    accept(stack, "SMG4");
  }
  if (settings.page === null) {
    return { data, tokens, job, page: null };
  }
  const { domain } = settings.page;
  const users = new UsersStack(app, "FillbookUsers", domain);
  accept(users, "COG8");
  const page = new PageStack(app, "FillbookPage", { data, settings, users, alarms: job.alarms });
  accept(page, "APIG4", "CFR1", "CFR2", "CFR3", ...(domain === null ? (["CFR4"] as const) : []));
  return { data, tokens, job, page: { users, page } };
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
