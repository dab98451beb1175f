import { Duration } from "aws-cdk-lib";
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { METRIC_DIMENSION, METRIC_NAMESPACE, type MetricName } from "../../lambda/invocation/metrics.ts";
import type { StackSettings } from "../settings.ts";

const SILENT_HOURS = 26; // a night, and two hours for a slow one
const BEHIND = Duration.hours(48);

export interface AlarmsProps {
  readonly account: string;
  readonly fn: IFunction;
  readonly machine: StateMachine;
  readonly deadLetters: IQueue;
  readonly topic: ITopic;
  readonly settings: Pick<StackSettings, "runbookUrl" | "lookBackDays">;
}

interface Watch {
  readonly title: string;
  readonly what: string;
  readonly metric: IMetric;
  /** Alarms when the metric is at least this; or, with `below`, when it is less. */
  readonly threshold: number;
  readonly below?: boolean;
  readonly periods?: number;
  readonly silenceIsBad?: boolean;
}

/** One alarm a way to fail, each with its section in RUNBOOK.md: the title is the heading. */
export class Alarms extends Construct {
  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    for (const watch of watches(props)) {
      const alarm = new Alarm(this, watch.title.replaceAll(" ", ""), {
        alarmDescription: `fillbook, account ${props.account}: ${watch.what} ${props.settings.runbookUrl}#${anchorOf(watch.title)}`,
        metric: watch.metric,
        threshold: watch.threshold,
        comparisonOperator:
          watch.below === true
            ? ComparisonOperator.LESS_THAN_THRESHOLD
            : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: watch.periods ?? 1,
        treatMissingData: watch.silenceIsBad === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(new SnsAction(props.topic));
      alarm.addOkAction(new SnsAction(props.topic));
    }
  }
}

/** The anchor that Markdown renderers make of a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}

function watches({ account, fn, machine, deadLetters, settings }: AlarmsProps): readonly Watch[] {
  const hour = Duration.hours(1);
  const own = (metricName: MetricName, statistic: string, period: Duration) =>
    new Metric({
      namespace: METRIC_NAMESPACE,
      metricName,
      dimensionsMap: { [METRIC_DIMENSION]: account },
      statistic,
      period,
    });
  // The least of a day: holes and lag are normal while a run goes on, and a fault only where no run ended them.
  const leastOfDay = (metricName: MetricName) => own(metricName, Stats.MINIMUM, Duration.days(1));
  return [
    {
      title: "Run failed",
      what: "an execution failed, timed out or was stopped.",
      metric: new MathExpression({
        label: "executions that did not succeed",
        expression: "failed + timedOut + aborted",
        usingMetrics: {
          failed: machine.metricFailed({ statistic: Stats.SUM }),
          timedOut: machine.metricTimedOut({ statistic: Stats.SUM }),
          aborted: machine.metricAborted({ statistic: Stats.SUM }),
        },
        period: Duration.minutes(5),
      }),
      threshold: 1,
    },
    {
      title: "Function errors",
      what: "a slice threw, or was killed.",
      metric: fn.metricErrors({ statistic: Stats.SUM, period: Duration.minutes(5) }),
      threshold: 1,
    },
    {
      title: "Not run in 26 hours",
      what: `no run of the whole book was completed in ${SILENT_HOURS} hours.`,
      metric: own("Completed", Stats.MAXIMUM, hour),
      threshold: 1,
      below: true,
      periods: SILENT_HOURS,
      silenceIsBad: true,
    },
    {
      title: "Coverage gap",
      what: "for a day no run left the coverage without a hole.",
      metric: leastOfDay("Gaps"),
      threshold: 1,
    },
    {
      title: "Coverage behind",
      what: `for a day the archive has ended more than ${BEHIND.toHours()} hours ago.`,
      metric: leastOfDay("CoverageLagSeconds"),
      threshold: BEHIND.toSeconds(),
    },
    {
      title: "Late fills",
      what: "a fill came so late that the look-back may miss the next one.",
      metric: own("LatenessSeconds", Stats.MAXIMUM, Duration.days(1)),
      threshold: Duration.days(settings.lookBackDays).toSeconds() / 2,
    },
    {
      title: "Function throttled",
      what: "the function was refused more than 20 times in an hour: another execution holds it, or the quota is used up.",
      metric: fn.metricThrottles({ statistic: Stats.SUM, period: hour }),
      threshold: 20,
    },
    {
      title: "Nightly run not started",
      what: "the schedule could not start the state machine.",
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({
        statistic: Stats.MAXIMUM,
        period: Duration.minutes(5),
      }),
      threshold: 1,
    },
  ];
}
