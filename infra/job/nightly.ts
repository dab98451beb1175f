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
import { allow } from "../allow.ts";
import { SCHEDULE_GROUP } from "../names.ts";
import type { StackSettings } from "../settings.ts";

const KEEP_DEAD_LETTERS = Duration.days(14);

export interface NightlyProps {
  readonly machine: StateMachine;
  readonly settings: Pick<StackSettings, "scheduleHour" | "zone">;
}

/** Starts the machine each night; what could not be started is in the queue. */
export class Nightly extends Construct {
  readonly deadLetters: Queue;
  readonly role: Role;

  constructor(scope: Construct, id: string, { machine, settings }: NightlyProps) {
    super(scope, id);
    const stack = Stack.of(this);
    this.deadLetters = new Queue(this, "DeadLetters", {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: KEEP_DEAD_LETTERS,
    });
    acknowledge(this.deadLetters, "AwsSolutions-SQS3");
    const group = new ScheduleGroup(this, "Group", {
      scheduleGroupName: SCHEDULE_GROUP,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, "Role", {
      description: "fillbook: starts the nightly run",
      assumedBy: new ServicePrincipal("scheduler.amazonaws.com", {
        conditions: {
          StringEquals: {
            "aws:SourceAccount": stack.account,
            // Scheduler gives the group's ARN, never the schedule's.
            "aws:SourceArn": stack.formatArn({
              service: "scheduler",
              resource: "schedule-group",
              resourceName: SCHEDULE_GROUP,
              arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
            }),
          },
        },
      }),
    });
    this.role.addToPolicy(allow("Start", ["states:StartExecution"], [machine.stateMachineArn]));
    this.role.addToPolicy(allow("DeadLetters", ["sqs:SendMessage"], [this.deadLetters.queueArn]));
    new Schedule(this, "Schedule", {
      description: "fillbook: the nightly run of all accounts",
      scheduleGroup: group,
      schedule: ScheduleExpression.cron({
        minute: "10", // not on the hour, when everybody's jobs start
        hour: String(settings.scheduleHour),
        timeZone: TimeZone.of(settings.zone),
      }),
      timeWindow: TimeWindow.off(),
      target: new StepFunctionsStartExecution(machine, {
        role: this.role.withoutPolicyUpdates(),
        input: ScheduleTargetInput.fromObject({ action: "sync" }),
        deadLetterQueue: this.deadLetters,
        retryAttempts: 5,
        maxEventAge: Duration.hours(2),
      }),
    });
  }
}
