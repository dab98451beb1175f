import { CfnOutput, Duration, RemovalPolicy, Stack, TimeZone } from "aws-cdk-lib";
import {
  Schedule,
  ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
  TimeWindow,
} from "aws-cdk-lib/aws-scheduler";
import { StepFunctionsStartExecution } from "aws-cdk-lib/aws-scheduler-targets";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import type { DataStack } from "../data/data-stack.ts";
import type { StackSettings } from "../settings.ts";
import { addAlarms, alarmTopic } from "../watch/alarms.ts";
import { watches } from "../watch/watches.ts";
import { jobFunction } from "./job-function.ts";
import { allAccounts, onDemand } from "./machines.ts";

/** Everything that runs. It holds no data, so all of it can be deleted and deployed again. */
export class JobStack extends Stack {
  /** The topic of all alarms. */
  readonly alarms: ITopic;

  constructor(scope: Construct, id: string, data: DataStack, settings: StackSettings) {
    super(scope, id, { description: "fillbook: the nightly run of all accounts, and runs on demand" });
    const { alarmEmail, runbookUrl } = settings;
    const { fn, logGroup } = jobFunction(this, data, settings);
    this.alarms = alarmTopic(this, alarmEmail);
    const machines = { one: onDemand(this, fn), nightly: allAccounts(this, fn, settings) };
    nightly(this, machines.nightly, settings);
    addAlarms(this, this.alarms, runbookUrl, watches(fn, machines));
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

/** Starts the machine each night. If it cannot, the alarm "Not run in 26 hours" tells. */
function nightly(scope: Construct, machine: StateMachine, { scheduleHour, zone }: StackSettings): void {
  const here = new Construct(scope, "Nightly");
  new Schedule(here, "Schedule", {
    description: "fillbook: the nightly run of all accounts",
    scheduleGroup: new ScheduleGroup(here, "Group", {
      scheduleGroupName: "fillbook",
      removalPolicy: RemovalPolicy.DESTROY,
    }),
    schedule: ScheduleExpression.cron({
      minute: "10", // not on the hour, when everybody's jobs start
      hour: String(scheduleHour),
      timeZone: TimeZone.of(zone),
    }),
    timeWindow: TimeWindow.off(),
    target: new StepFunctionsStartExecution(machine, {
      input: ScheduleTargetInput.fromObject({ action: "sync" }),
      retryAttempts: 5,
      maxEventAge: Duration.hours(2),
    }),
  });
}
