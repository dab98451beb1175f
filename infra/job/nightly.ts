import { ArnFormat, Duration, RemovalPolicy, Stack, TimeZone } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
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
import { NAMES } from "../names.ts";
import { allow } from "../roles.ts";
import type { StackSettings } from "../settings.ts";

/** Starts the machine each night. If it cannot, the alarm "Not run in 26 hours" tells. */
export function nightly(
  scope: Construct,
  machine: StateMachine,
  settings: Pick<StackSettings, "scheduleHour" | "zone">,
): void {
  const here = new Construct(scope, "Nightly");
  const stack = Stack.of(scope);
  const group = new ScheduleGroup(here, "Group", {
    scheduleGroupName: NAMES.scheduleGroup,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new Role(here, "Role", {
    description: "fillbook: starts the nightly run",
    assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
      conditions: {
        StringEquals: {
          "aws:SourceAccount": stack.account,
          // Scheduler sends the ARN of the group, never that of the schedule.
          "aws:SourceArn": stack.formatArn({
            service: "scheduler",
            resource: "schedule-group",
            resourceName: NAMES.scheduleGroup,
            arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
          }),
        },
      },
    }),
  });
  role.addToPolicy(allow("Start", ["states:StartExecution"], [machine.stateMachineArn]));
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
      role: role.withoutPolicyUpdates(),
      input: ScheduleTargetInput.fromObject({ action: "sync" }),
      retryAttempts: 5,
      maxEventAge: Duration.hours(2),
    }),
  });
}
