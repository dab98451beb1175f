import { Duration, RemovalPolicy, TimeZone } from "aws-cdk-lib";
import {
  Schedule,
  ScheduleExpression,
  ScheduleGroup,
  ScheduleTargetInput,
  TimeWindow,
} from "aws-cdk-lib/aws-scheduler";
import { StepFunctionsStartExecution } from "aws-cdk-lib/aws-scheduler-targets";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import type { StackSettings } from "../settings.ts";

/** Starts the machine each night. If it cannot, the alarm "Not run in 26 hours" tells. */
export function nightly(
  scope: Construct,
  machine: StateMachine,
  settings: Pick<StackSettings, "scheduleHour" | "zone">,
): void {
  const here = new Construct(scope, "Nightly");
  const group = new ScheduleGroup(here, "Group", {
    scheduleGroupName: "fillbook",
    removalPolicy: RemovalPolicy.DESTROY,
  });
  new Schedule(here, "Schedule", {
    description: "fillbook: the nightly run of all accounts",
    scheduleGroup: group,
    schedule: ScheduleExpression.cron({
      minute: "10", // not on the hour, when everybody's jobs start
      hour: String(settings.scheduleHour),
      timeZone: TimeZone.of(settings.zone),
    }),
    timeWindow: TimeWindow.off(),
    target: new StepFunctionsStartExecution(machine, {
      input: ScheduleTargetInput.fromObject({ action: "sync" }),
      retryAttempts: 5,
      maxEventAge: Duration.hours(2),
    }),
  });
}
