import { parseArgs } from "node:util";

export const HELP = `Deploys fillbook into the AWS account of your credentials: checks the requirements, shows what changes and what it costs, asks for confirmation, and deploys.

npm run deploy -- [options]

  -c NAME=VALUE            a setting, may be repeated (docs/deploy.md, "Settings", lists them); settings in fillbook.json apply anyway
  --dry-run                stop before anything is changed
  --yes                    do not ask; still stops if data would be lost or locked for good
  --yes-remove-data NAME   agree that the named resource is deleted with its data, or locked for good; NAME is in the summary, may be repeated
  --fills N                fills per account and month, for the cost estimate (default 2,000)
  --app COMMAND            a CDK app other than the one in cdk.json
  --help                   this text

Credentials and region come from where the AWS tools look for them: AWS_PROFILE, AWS_REGION, and so on.

Example: npm run deploy -- -c accountUrl=https://… -c marketDataUrl=https://… -c alarmEmail=ops@example.com
`;

export interface Options {
  readonly help: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
  /** Names of the resources whose data may be lost: `STACK/LogicalId`. */
  readonly removeData: readonly string[];
  /** The values of -c: `name=value`. */
  readonly context: readonly string[];
  readonly app: string | null;
  readonly fillsAMonth: number;
}

/** Throws an Error if an entry is not `name=value`. */
export function checkContext(context: readonly string[]): void {
  for (const setting of context) {
    if (!/^[\w-]+=/.test(setting)) {
      throw new Error(`-c ${setting}: write -c NAME=VALUE`);
    }
  }
}

/** Throws an Error whose message says what to write instead. */
export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      context: { type: "string", short: "c", multiple: true, default: [] },
      "dry-run": { type: "boolean", default: false },
      yes: { type: "boolean", short: "y", default: false },
      "yes-remove-data": { type: "string", multiple: true, default: [] },
      fills: { type: "string", default: "2000" },
      app: { type: "string", short: "a" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  checkContext(values.context);
  if (!/^\d{1,9}$/.test(values.fills)) {
    throw new Error(`--fills ${values.fills}: a whole number is needed`);
  }
  return {
    help: values.help,
    dryRun: values["dry-run"],
    yes: values.yes,
    removeData: values["yes-remove-data"],
    context: values.context,
    app: values.app ?? null,
    fillsAMonth: Number(values.fills),
  };
}
