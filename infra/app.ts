import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { WrongSetting } from "./settings.ts";
import { settingsFile } from "./settings-file.ts";
import { addStacks } from "./stacks.ts";

try {
  addStacks(new App(), process.env, settingsFile(join(import.meta.dirname, "..")));
} catch (error) {
  if (!(error instanceof WrongSetting)) {
    throw error;
  }
  process.stderr.write(`fillbook: ${error.message}\n`);
  process.exitCode = 1;
}
