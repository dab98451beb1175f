import type { Duration } from "aws-cdk-lib";
import { Metric } from "aws-cdk-lib/aws-cloudwatch";
import { METRIC_NAMESPACE, METRICS, type MetricName } from "../../lambda/job/lambda/metrics.ts";

/** A metric that the function writes, of all accounts, by the statistic that is right for it. */
export function ownMetric(metricName: MetricName, period: Duration): Metric {
  const { statistic } = METRICS[metricName];
  return new Metric({ namespace: METRIC_NAMESPACE, metricName, statistic, period });
}
