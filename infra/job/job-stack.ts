import { CfnOutput, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { DataStack } from "../data/data-stack.ts";
import type { StackSettings } from "../settings.ts";
import { AlarmTopic } from "../watch/alarm-topic.ts";
import { addAlarms } from "../watch/alarms.ts";
import { addBudget } from "../watch/budget.ts";
import { addDashboard } from "../watch/dashboard.ts";
import { addLogQueries } from "../watch/queries.ts";
import { watches } from "../watch/watches.ts";
import { jobFunction } from "./job-function.ts";
import { allAccounts, onDemand } from "./machines.ts";
import { nightly } from "./nightly.ts";

/** Everything that runs. It holds no data, so all of it can be deleted and deployed again. */
export class JobStack extends Stack {
  /** The topic of all alarms. */
  readonly alarms: AlarmTopic;

  constructor(scope: Construct, id: string, data: DataStack, settings: StackSettings) {
    super(scope, id, { description: "fillbook: the nightly run of all accounts, and runs on demand" });
    const { names, alarmEmail, budgetUsd } = settings;
    const { fn, logGroup, work } = jobFunction(this, data, settings);
    this.alarms = new AlarmTopic(this, settings);
    const machines = {
      one: onDemand(this, fn, { names, work, told: this.alarms }),
      nightly: allAccounts(this, fn, settings),
    };
    const watched = { fn, machines, deadLetters: nightly(this, machines.nightly, settings) };
    const alarms = addAlarms(this, this.alarms, settings, watches(watched, settings));
    addDashboard(this, names, { ...watched, alarms, logGroup });
    addLogQueries(this, names, logGroup);
    if (budgetUsd !== null) {
      addBudget(this, this.alarms, { names, limitUsd: budgetUsd, email: alarmEmail });
    }
    this.exportValue(this.alarms.topic.topicArn); // also without the page: a page that is still deployed has its alarms
    for (const [name, value] of Object.entries({
      MachineArn: machines.one.stateMachineArn,
      NightlyMachineArn: machines.nightly.stateMachineArn,
      FunctionName: fn.functionName,
      AlarmTopicArn: this.alarms.topic.topicArn,
      LogGroupName: logGroup.logGroupName,
    })) {
      new CfnOutput(this, name, { value });
    }
  }
}
