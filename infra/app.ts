import { App } from "aws-cdk-lib";
import { addStacks } from "./stacks.ts";

addStacks(new App(), process.env);
