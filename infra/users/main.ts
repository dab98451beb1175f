import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { checkContext } from "../deploy/arguments.ts";
import { awsCloud } from "../deploy/aws.ts";
import { deployedUserSettings } from "../deploy/context.ts";
import { told } from "../deploy/told.ts";
import { addUser, readAddition, USAGE } from "./add-user.ts";
import { cognitoDirectory } from "./cognito.ts";

const ROOT = join(import.meta.dirname, "../..");

async function main(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: {
      context: { type: "string", short: "c", multiple: true, default: [] },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help || positionals.length === 0) {
    process.stdout.write(USAGE);
    return;
  }
  checkContext(values.context);
  const settings = deployedUserSettings(ROOT, values.context, process.env);
  const addition = readAddition(positionals, settings.accounts);
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

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  process.stderr.write(`${told(thrown)}\n`);
  process.exitCode = 1;
}
