import { CfnOutput, Stack } from "aws-cdk-lib";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { DataStack } from "../data/data-stack.ts";
import type { StackSettings } from "../settings.ts";
import { addAlarms, alarmTopic } from "../watch/alarms.ts";
import { watches } from "../watch/watches.ts";
import { jobFunction } from "./job-function.ts";
import { allAccounts, onDemand } from "./machines.ts";
import { nightly } from "./nightly.ts";

/** Everything that runs. It holds no data, so all of it can be deleted and deployed again. */
export class JobStack extends Stack {
  /** The topic of all alarms. */
  readonly alarms: ITopic;

  constructor(scope: Construct, id: string, data: DataStack, settings: StackSettings) {
    super(scope, id, { description: "fillbook: the nightly run of all accounts, and runs on demand" });
    const { alarmEmail, runbookUrl, lookBackDays } = settings;
    const { fn, logGroup } = jobFunction(this, data, settings);
    this.alarms = alarmTopic(this, alarmEmail);
    const machines = { one: onDemand(this, fn), nightly: allAccounts(this, fn, settings) };
    nightly(this, machines.nightly, settings);
    addAlarms(this, this.alarms, runbookUrl, watches(fn, machines, lookBackDays));
    this.exportValue(this.alarms.topicArn); // also without the page: a page that is still deployed has its alarms
    for (const [name, value] of Object.entries({
      MachineArn: machines.one.stateMachineArn,
      NightlyMachineArn: machines.nightly.stateMachineArn,
      FunctionName: fn.functionName,
      AlarmTopicArn: this.alarms.topicArn,
      LogGroupName: logGroup.logGroupName,
    })) {
      new CfnOutput(this, name, { value });
    }
  }
}
