import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { settingsFile } from "./settings-file.ts";
import { addStacks } from "./stacks.ts";

addStacks(new App(), process.env, settingsFile(join(import.meta.dirname, "..")));
