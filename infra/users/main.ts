import { join } from "node:path";
import process from "node:process";
import { awsCloud } from "../deploy/aws.ts";
import { deployedSettings } from "../deploy/context.ts";
import { addUser, readAddition, USAGE } from "./add-user.ts";
import { cognitoDirectory } from "./cognito.ts";

const ROOT = join(import.meta.dirname, "../..");

async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 0 || argv.includes("--help")) {
    process.stdout.write(USAGE);
    return;
  }
  const settings = deployedSettings(ROOT, [], process.env);
  const addition = readAddition(argv, settings.accounts);
  const stacks = await awsCloud().stacks();
  const outputs = stacks.find(({ outputs: all }) => all.has("PageUrl") && all.has("UserPoolId"))?.outputs;
  const [pageUrl, pool] = [outputs?.get("PageUrl"), outputs?.get("UserPoolId")];
  if (pageUrl === undefined || pool === undefined) {
    throw new Error("there is no page in this AWS account and region: npm run deploy -- -c page=on");
  }
  for (const line of await addUser(cognitoDirectory(pool), addition, { pageUrl, page: settings.page })) {
    process.stdout.write(`${line}\n`);
  }
}

try {
  await main(process.argv.slice(2));
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 1;
}
