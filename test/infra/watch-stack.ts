import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { DefinitionBody, Pass, StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { AlarmTopic } from "../../infra/watch/alarm-topic.ts";
import { Alarms } from "../../infra/watch/alarms.ts";
import { Budget } from "../../infra/watch/budget.ts";
import { Dashboard } from "../../infra/watch/dashboard.ts";
import { LogQueries } from "../../infra/watch/log-queries.ts";
import { watches } from "../../infra/watch/watches.ts";

export interface WatchSettings {
  readonly lookBackDays?: number;
  readonly email?: string | null;
  /** Null: no budget. */
  readonly limitUsd?: number | null;
}

/** All that watches, on stand-ins of what is watched. */
export function watchTemplate({ lookBackDays = 7, email = null, limitUsd = 20 }: WatchSettings = {}): Template {
  const stack = new Stack(new App(), "Watch");
  const machine = (id: string) =>
    new StateMachine(stack, id, { definitionBody: DefinitionBody.fromChainable(new Pass(stack, `${id}Pass`)) });
  const watched = {
    fn: LambdaFunction.fromFunctionName(stack, "Function", "the-function"),
    machines: { one: machine("One"), nightly: machine("Nightly") },
    deadLetters: new Queue(stack, "DeadLetters"),
  };
  const logGroup = LogGroup.fromLogGroupName(stack, "Log", "the-log");
  const topic = new AlarmTopic(stack, "Topic", email);
  const { alarms } = new Alarms(stack, "Alarms", {
    topic: topic.topic,
    runbookUrl: "RUNBOOK.md",
    watches: watches(watched, lookBackDays),
  });
  new Dashboard(stack, "Dashboard", { ...watched, alarms, logGroup });
  new LogQueries(stack, "Queries", { logGroup });
  if (limitUsd !== null) {
    new Budget(stack, "Budget", { limitUsd, topic, email });
  }
  return Template.fromStack(stack);
}
