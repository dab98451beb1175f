import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { checkContext } from "../deploy/arguments.ts";
import { awsCloud } from "../deploy/aws.ts";
import { deployedUserSettings } from "../deploy/context.ts";
import { told } from "../deploy/told.ts";
import type { UserSettings } from "../settings.ts";
import { type Addition, addUser, readAddition, USAGE } from "./add-user.ts";
import { cognitoDirectory } from "./cognito.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The exit codes of the command line: lambda/core/errors.ts. */
const EXIT = { done: 0, fault: 1, usage: 2 } as const;

async function main(argv: readonly string[]): Promise<number> {
  let step: "usage" | "fault" = "usage";
  try {
    const { context, words, help } = readArguments(argv);
    if (help || words.length === 0) {
      process[help ? "stdout" : "stderr"].write(USAGE);
      return help ? EXIT.done : EXIT.usage;
    }
    const settings = deployedUserSettings(ROOT, context, process.env);
    const addition = readAddition(words, settings.accounts);
    step = "fault";
    await add(addition, settings);
    return EXIT.done;
  } catch (thrown) {
    process.stderr.write(`${told(thrown)}\n`);
    return EXIT[step];
  }
}

function readArguments(argv: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      context: { type: "string", short: "c", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  checkContext(values.context);
  return { context: values.context, words: positionals, help: values.help };
}

async function add(addition: Addition, settings: UserSettings): Promise<void> {
  const stacks = await awsCloud().stacks();
  const outputs = stacks.find(({ name }) => name === settings.names.pageStack)?.outputs;
  const [pageUrl, pool] = [outputs?.get("PageUrl"), outputs?.get("UserPoolId")];
  if (pageUrl === undefined || pool === undefined) {
    throw new Error(
      `the deployment ${settings.names.deployment} has no page in this AWS account and region. Deploy it with: npm run deploy -- -c page=on`,
    );
  }
  for (const line of await addUser(cognitoDirectory(pool), addition, { pageUrl, page: settings.page })) {
    process.stdout.write(`${line}\n`);
  }
}

process.exitCode = await main(process.argv.slice(2));
