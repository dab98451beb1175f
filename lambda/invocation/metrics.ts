import type { SyncResult } from "../job.ts";
import { SECOND_MS } from "../model/time.ts";

/** What the function tells CloudWatch, by the names that the alarms in infra/ watch. */
export const METRIC_NAMESPACE = "fillbook";
export const METRIC_DIMENSION = "Account";

const UNITS = {
  FillsAdded: "Count",
  FillsInArchive: "Count",
  Requests: "Count",
  /** 429s */
  Refused: "Count",
  Restated: "Count",
  /** 1: everything up to now less the settle lag is in the archive; 0: a slice of that ended before. */
  Completed: "Count",
  /** Holes between covered windows. */
  Gaps: "Count",
  /** Now less the end of the coverage. */
  CoverageLagSeconds: "Seconds",
  /** Longest time from a fill's transaction to its first sight, of fills that came late in covered times. */
  LatenessSeconds: "Seconds",
} as const;

export type MetricName = keyof typeof UNITS;
export type Metrics = Readonly<Partial<Record<MetricName, number>>>;

/** The figures of one slice. `Completed` is only for a run of the whole book: one of a single range must not hide that the nightly one fails. */
export function syncMetrics(result: SyncResult, whole: boolean, now: number): Metrics {
  const end = result.coverage.at(-1)?.to;
  return {
    FillsAdded: result.added,
    FillsInArchive: result.fills,
    Requests: result.requests,
    Refused: result.refused,
    Restated: result.restated,
    ...(result.lateness === null ? {} : { LatenessSeconds: Math.round(result.lateness.maxMs / SECOND_MS) }),
    ...(whole ? { Completed: result.complete ? 1 : 0 } : {}),
    ...(end === undefined
      ? {}
      : { Gaps: result.coverage.length - 1, CoverageLagSeconds: Math.max(0, Math.round((now - end) / SECOND_MS)) }),
  };
}

/**
 * A line of the embedded metric format: CloudWatch Logs makes the metrics from it.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function metricRecord(account: string, metrics: Metrics, now: number): Readonly<Record<string, unknown>> {
  const names = Object.keys(metrics) as MetricName[]; // Object.keys forgets the keys' type
  return {
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [
        {
          Namespace: METRIC_NAMESPACE,
          Dimensions: [[METRIC_DIMENSION]],
          Metrics: names.map((name) => ({ Name: name, Unit: UNITS[name] })),
        },
      ],
    },
    [METRIC_DIMENSION]: account,
    ...metrics,
  };
}
