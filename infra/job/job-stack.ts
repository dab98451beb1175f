import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { ArchiveBucket } from "../data/archive-bucket.ts";
import type { StackSettings } from "../settings.ts";
import { AllAccounts } from "./all-accounts.ts";
import { JobFunction } from "./job-function.ts";
import { Nightly } from "./nightly.ts";
import { OnDemand } from "./on-demand.ts";

export interface JobStackProps extends StackProps {
  readonly settings: StackSettings;
  readonly archive: ArchiveBucket;
}

/** What runs: nothing here holds data, so all of it can be deleted and deployed again. */
export class JobStack extends Stack {
  constructor(scope: Construct, id: string, { settings, archive, ...props }: JobStackProps) {
    super(scope, id, { ...props, description: "fillbook: the nightly run of all accounts, and runs on demand" });
    const { fn, logGroup } = new JobFunction(this, "Job", { archive, settings });
    const one = new OnDemand(this, "OnDemand", { fn }).machine;
    const nightly = new AllAccounts(this, "Nights", { fn, settings }).machine;
    new Nightly(this, "Nightly", { machine: nightly, settings });
    const output = (name: string, value: string) => new CfnOutput(this, name, { value });
    output("MachineArn", one.stateMachineArn);
    output("NightlyMachineArn", nightly.stateMachineArn);
    output("FunctionName", fn.functionName);
    output("LogGroupName", logGroup.logGroupName);
  }
}
