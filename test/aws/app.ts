import { writeFileSync } from "node:fs";
import process from "node:process";
import { App } from "aws-cdk-lib";
import { CfnFunction } from "aws-cdk-lib/aws-lambda";
import { addStacks } from "../../infra/stacks.ts";
import { takeOut } from "./unknown.ts";

/*
 * The app as it is deployed to AWS, but for what MiniStack cannot make, and for the addresses: the service's emulator speaks http on loopback, which the function
 * accepts and the settings of a deployment do not.
 */
const app = new App();
addStacks(app, process.env);

const taken = takeOut(app);
writeFileSync(process.env["FILLBOOK_TEST_TAKEN_OUT"] ?? "/dev/stderr", JSON.stringify([...taken]));

for (const resource of app.node.findAll()) {
  if (resource instanceof CfnFunction && resource.environment !== undefined) {
    resource.addPropertyOverride(
      "Environment.Variables.FILLBOOK_ACCOUNT_URL",
      process.env["FILLBOOK_TEST_ACCOUNT_URL"],
    );
    resource.addPropertyOverride(
      "Environment.Variables.FILLBOOK_MARKET_DATA_URL",
      process.env["FILLBOOK_TEST_MARKET_DATA_URL"],
    );
  }
}
