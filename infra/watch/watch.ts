import type { Duration } from "aws-cdk-lib";
import { type IMetric, Metric } from "aws-cdk-lib/aws-cloudwatch";
import { METRIC_NAMESPACE, METRICS, type MetricName } from "../../lambda/job/lambda/metrics.ts";

/** Something that an alarm looks at. */
export interface Watch {
  /** A heading of RUNBOOK.md. */
  readonly title: string;
  /** Which of several with the same title. */
  readonly of?: string;
  readonly what: string;
  readonly metric: IMetric;
  /** Alarms when the metric is at least this; or, with `below`, when it is less. */
  readonly threshold: number;
  readonly below?: boolean;
  /** How many periods in a row; 1. Periods of an hour or more may be 7 days in all. */
  readonly periods?: number;
  readonly silenceIsBad?: boolean;
  /** Something that happened once: its end is when nothing else happened, which does not mean that anything is mended. */
  readonly isEvent?: boolean;
}

/** A metric that the function writes, of all accounts, by the statistic that is right for it. */
export function ownMetric(metricName: MetricName, period: Duration): Metric {
  const { statistic } = METRICS[metricName];
  return new Metric({ namespace: METRIC_NAMESPACE, metricName, statistic, period });
}
