import { ArnFormat, type CfnElement, Duration, Stack } from "aws-cdk-lib";
import type { PolicyStatement, Role } from "aws-cdk-lib/aws-iam";
import { IntegrationPattern, JsonPath, Pass, type State, Timeout } from "aws-cdk-lib/aws-stepfunctions";
import { EcsFargateLaunchTarget, EcsRunTask } from "aws-cdk-lib/aws-stepfunctions-tasks";
import type { Construct } from "constructs";
import { acknowledge } from "../acknowledgements.ts";
import { allow } from "../roles.ts";
import type { LargeWork } from "./large-work.ts";

/** A hundred million fills take two hours, so a task that takes a day is stuck. */
const TIMEOUT = Duration.days(1);

/** The states that do the request in `$.request` as a task: the first and the last. */
export function runTask(here: Construct, work: LargeWork, failed: State) {
  const event = new Pass(here, "TaskEvent", {
    parameters: { "event.$": "States.JsonMerge($.request, $.run, false)" },
    resultPath: "$.task",
  });
  const run = new EcsRunTask(here, "RunTask", {
    integrationPattern: IntegrationPattern.RUN_JOB,
    cluster: work.cluster,
    taskDefinition: work.definition,
    launchTarget: new EcsFargateLaunchTarget(),
    assignPublicIp: true,
    subnets: work.subnets,
    securityGroups: [work.securityGroup],
    containerOverrides: [
      {
        containerDefinition: work.container,
        environment: [{ name: "FILLBOOK_EVENT", value: JsonPath.jsonToString(JsonPath.objectAt("$.task.event")) }],
      },
    ],
    resultPath: JsonPath.DISCARD,
    taskTimeout: Timeout.duration(TIMEOUT),
  });
  run.addCatch(failed, { resultPath: "$.failure" });
  return { first: event, last: event.next(run) };
}

/**
 * https://docs.aws.amazon.com/step-functions/latest/dg/connect-ecs.html; the wildcards match revisions and
 * tasks.
 */
export function runsTask({ definition, cluster }: LargeWork): readonly PolicyStatement[] {
  const { taskRole, executionRole } = definition;
  const stack = Stack.of(cluster);
  const rule = { service: "events", resource: "rule", resourceName: "StepFunctionsGetEventsForECSTaskRule" };
  return [
    allow("Task", ["ecs:RunTask"], [revisions(stack, definition.family)]),
    allow("RunningTasks", ["ecs:StopTask", "ecs:DescribeTasks"], [tasks(stack, cluster.clusterName)]),
    allow("EndsOfTasks", ["events:PutTargets", "events:PutRule", "events:DescribeRule"], [stack.formatArn(rule)]),
    allow(
      "RolesOfTasks",
      ["iam:PassRole"],
      [taskRole.roleArn, ...(executionRole === undefined ? [] : [executionRole.roleArn])],
      { StringEquals: { "iam:PassedToService": "ecs-tasks.amazonaws.com" } },
    ),
  ];
}

/** Acknowledges the wildcards, as cdk-nag writes them. */
export function acceptTasks(role: Role, { definition, cluster }: LargeWork): void {
  const stack = Stack.of(cluster);
  const id = stack.getLogicalId(cluster.node.defaultChild as CfnElement);
  for (const resource of [`task-definition/${definition.family}:*`, `task/<${id}>/*`]) {
    acknowledge(
      role,
      "AwsSolutions-IAM5",
      `Resource::arn:<AWS::Partition>:ecs:<AWS::Region>:<AWS::AccountId>:${resource}`,
    );
  }
}

function revisions(stack: Stack, family: string): string {
  const name = { service: "ecs", resource: "task-definition", resourceName: `${family}:*` };
  return stack.formatArn({ ...name, arnFormat: ArnFormat.SLASH_RESOURCE_NAME });
}

function tasks(stack: Stack, cluster: string): string {
  return stack.formatArn({ service: "ecs", resource: "task", resourceName: `${cluster}/*` });
}
