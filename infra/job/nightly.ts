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
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { acknowledge } from "../acknowledgements.ts";
import { allow } from "../roles.ts";
import type { StackSettings } from "../settings.ts";

const KEEP_DEAD_LETTERS = Duration.days(14);

/** Starts the machine each night. Returns the queue of starts that failed. */
export function nightly(
  scope: Construct,
  machine: StateMachine,
  settings: Pick<StackSettings, "names" | "scheduleHour" | "zone">,
): Queue {
  const here = new Construct(scope, "Nightly");
  const stack = Stack.of(scope);
  const deadLetters = new Queue(here, "DeadLetters", {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: KEEP_DEAD_LETTERS,
  });
  acknowledge(deadLetters, "AwsSolutions-SQS3");
  const group = new ScheduleGroup(here, "Group", {
    scheduleGroupName: settings.names.scheduleGroup,
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
            resourceName: settings.names.scheduleGroup,
            arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
          }),
        },
      },
    }),
  });
  role.addToPolicy(allow("Start", ["states:StartExecution"], [machine.stateMachineArn]));
  role.addToPolicy(allow("DeadLetters", ["sqs:SendMessage"], [deadLetters.queueArn]));
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
      deadLetterQueue: deadLetters,
      retryAttempts: 5,
      maxEventAge: Duration.hours(2),
    }),
  });
  return deadLetters;
}
