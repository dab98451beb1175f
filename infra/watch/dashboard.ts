import { Duration } from "aws-cdk-lib";
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  Stats,
} from "aws-cdk-lib/aws-cloudwatch";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import type { MetricName } from "../../lambda/job/lambda/metrics.ts";
import type { Names } from "../names.ts";
import { FAILURES, LAST_RUNS, type Query } from "./queries.ts";
import { ownMetric, type Watched } from "./watches.ts";

const HOUR = Duration.hours(1);
const WIDTH = 24; // a row
const HALF = WIDTH / 2;
const THIRD = WIDTH / 3;
const TABLE_HEIGHT = 8;

export interface Shown extends Watched {
  readonly alarms: readonly IAlarm[];
  readonly logGroup: ILogGroup;
}

/** One dashboard for all accounts. */
export function addDashboard(scope: Construct, names: Names, shown: Shown): void {
  new Dashboard(new Construct(scope, "Dashboard"), "Dashboard", {
    dashboardName: names.dashboard,
    defaultInterval: Duration.days(14),
    widgets: rows(names, shown),
  });
}

function rows(names: Names, { alarms, fn, machines, deadLetters, logGroup }: Shown): IWidget[][] {
  const sum = { statistic: Stats.SUM, period: HOUR };
  const most = { statistic: Stats.MAXIMUM, period: HOUR };
  const own = (...metrics: MetricName[]) => metrics.map((metric) => ownMetric(names, metric, HOUR));
  const runs = (machine: StateMachine) => [
    machine.metricStarted(sum),
    machine.metricSucceeded(sum),
    machine.metricFailed(sum),
  ];
  return [
    [new AlarmStatusWidget({ title: "Alarms", alarms: [...alarms], width: WIDTH })],
    [table(LAST_RUNS, logGroup), table(FAILURES, logGroup)],
    [
      graph("Runs of all accounts", runs(machines.nightly)),
      graph("Runs on demand", runs(machines.one)),
      graph("Accounts completed, slices failed", own("Completed", "Failed", "TokenRefused")),
    ],
    [
      graph("Fills added", own("FillsAdded")),
      graph("Requests and refusals", own("Requests", "Refused")),
      graph("Late and changed fills", own("Restated"), own("LatenessSeconds")),
    ],
    [
      graph("Coverage", own("Gaps"), own("CoverageLagSeconds")),
      graph("Function", [fn.metricInvocations(sum), fn.metricErrors(sum), fn.metricThrottles(sum)]),
      graph(
        "Slices: concurrent, and the longest",
        [fn.metric("ConcurrentExecutions", most)],
        [fn.metricDuration(most)],
      ),
    ],
    [graph("Runs that could not be started", [deadLetters.metricApproximateNumberOfMessagesVisible(most)])],
  ];
}

function graph(title: string, left: IMetric[], right: IMetric[] = []): GraphWidget {
  return new GraphWidget({ title, left, right, width: THIRD });
}

function table(query: Query, { logGroupName }: ILogGroup): LogQueryWidget {
  return new LogQueryWidget({
    title: query.title,
    logGroupNames: [logGroupName],
    view: LogQueryVisualizationType.TABLE,
    queryLines: [...query.lines],
    width: HALF,
    height: TABLE_HEIGHT,
  });
}
