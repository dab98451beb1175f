import { Aws, Duration } from "aws-cdk-lib";
import {
  AlarmStatusWidget,
  Dashboard as CloudWatchDashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  Stats,
} from "aws-cdk-lib/aws-cloudwatch";
import type { ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { FAILURES, LAST_RUNS, type Query } from "./queries.ts";
import { ownMetric } from "./watch.ts";
import type { Watched } from "./watches.ts";

const HOUR = Duration.hours(1);
const WIDTH = 24; // a row
const HALF = WIDTH / 2;
const THIRD = WIDTH / 3;
const TABLE_HEIGHT = 8;

export interface DashboardProps extends Watched {
  readonly alarms: readonly IAlarm[];
  readonly logGroup: ILogGroup;
}

/** One page for all accounts. Its name says the region, because names of dashboards are global in an AWS account. */
export class Dashboard extends Construct {
  constructor(scope: Construct, id: string, props: DashboardProps) {
    super(scope, id);
    new CloudWatchDashboard(this, "Dashboard", {
      dashboardName: `fillbook-${Aws.REGION}`,
      defaultInterval: Duration.days(14),
      widgets: rows(props),
    });
  }
}

function rows({ alarms, fn, machines, deadLetters, logGroup }: DashboardProps): IWidget[][] {
  const sum = { statistic: Stats.SUM, period: HOUR };
  const most = { statistic: Stats.MAXIMUM, period: HOUR };
  const own = (...names: Parameters<typeof ownMetric>[0][]) => names.map((name) => ownMetric(name, HOUR));
  return [
    [new AlarmStatusWidget({ title: "Alarms", alarms: [...alarms], width: WIDTH })],
    [table(LAST_RUNS, logGroup), table(FAILURES, logGroup)],
    [
      graph("Runs of all accounts", [
        machines.nightly.metricStarted(sum),
        machines.nightly.metricSucceeded(sum),
        machines.nightly.metricFailed(sum),
      ]),
      graph("Runs on demand", [
        machines.one.metricStarted(sum),
        machines.one.metricSucceeded(sum),
        machines.one.metricFailed(sum),
      ]),
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
      graph("Slices: at once, and the longest", [fn.metric("ConcurrentExecutions", most)], [fn.metricDuration(most)]),
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
