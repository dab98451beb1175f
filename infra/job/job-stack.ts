import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";
import type { ArchiveBucket } from "../data/archive-bucket.ts";
import type { PackBucket } from "../data/pack-bucket.ts";
import type { StackSettings } from "../settings.ts";
import { AlarmTopic } from "../watch/alarm-topic.ts";
import { Alarms } from "../watch/alarms.ts";
import { Budget } from "../watch/budget.ts";
import { Dashboard } from "../watch/dashboard.ts";
import { LogQueries } from "../watch/queries.ts";
import { watches } from "../watch/watches.ts";
import { AllAccounts } from "./all-accounts.ts";
import { JobFunction } from "./job-function.ts";
import { Nightly } from "./nightly.ts";
import { OnDemand } from "./on-demand.ts";

export interface JobStackProps extends StackProps {
  readonly settings: StackSettings;
  readonly archive: ArchiveBucket;
  readonly packs: PackBucket | null;
}

/** What runs: nothing here holds data, so all of it can be deleted and deployed again. */
export class JobStack extends Stack {
  /** Where all alarms go. */
  readonly alarmTopic: ITopic;

  constructor(scope: Construct, id: string, { settings, archive, packs, ...props }: JobStackProps) {
    super(scope, id, { ...props, description: "fillbook: the nightly run of all accounts, and runs on demand" });
    const { fn, logGroup } = new JobFunction(this, "Job", { archive, packs, settings });
    const one = new OnDemand(this, "OnDemand", { fn }).machine;
    const nightly = new AllAccounts(this, "Nights", { fn, settings }).machine;
    const { deadLetters } = new Nightly(this, "Nightly", { machine: nightly, settings });
    const alarmTopic = new AlarmTopic(this, "AlarmTopic", settings.alarmEmail);
    const { topic } = alarmTopic;
    this.alarmTopic = topic;
    const watched = { fn, machines: { one, nightly }, deadLetters };
    const { alarms } = new Alarms(this, "Alarms", {
      topic,
      runbookUrl: settings.runbookUrl,
      watches: watches(watched, settings.lookBackDays),
    });
    new Dashboard(this, "Dashboard", { ...watched, alarms, logGroup });
    new LogQueries(this, "LogQueries", { logGroup });
    if (settings.budgetUsd !== null) {
      new Budget(this, "Budget", { limitUsd: settings.budgetUsd, topic: alarmTopic, email: settings.alarmEmail });
    }
    const output = (name: string, value: string) => new CfnOutput(this, name, { value });
    output("MachineArn", one.stateMachineArn);
    output("NightlyMachineArn", nightly.stateMachineArn);
    output("FunctionName", fn.functionName);
    output("AlarmTopicArn", topic.topicArn);
    output("LogGroupName", logGroup.logGroupName);
  }
}
