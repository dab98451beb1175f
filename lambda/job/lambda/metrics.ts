import { union } from "../../core/ranges.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { SyncResult } from "../context.ts";

/** In CloudWatch. */
export const METRIC_NAMESPACE = "fillbook";

/**
 * One metric for all accounts together, so that a thousand accounts cost no more than one. The log line with
 * the metrics names the account. `statistic`: the right one over the slices of all accounts in a period.
 */
export const METRICS = {
  FillsAdded: { unit: "Count", statistic: "Sum" },
  Requests: { unit: "Count", statistic: "Sum" },
  /** Answers with status 429. */
  Refused: { unit: "Count", statistic: "Sum" },
  /** Fills that came late or changed in covered times. */
  Restated: { unit: "Count", statistic: "Sum" },
  /**
   * Complete syncs of an account's whole book: the archive holds everything up to now less the settle lag.
   */
  Completed: { unit: "Count", statistic: "Sum" },
  /** Slices that ended with an error that another slice would not resolve. */
  Failed: { unit: "Count", statistic: "Sum" },
  /** Failed slices whose token the service refused. */
  TokenRefused: { unit: "Count", statistic: "Sum" },
  /** Gaps between the times of one account that were read twice. */
  Gaps: { unit: "Count", statistic: "Maximum" },
  /** Now less the end of the times of one account that were read twice. */
  CoverageLagSeconds: { unit: "Seconds", statistic: "Maximum" },
} as const;

export type MetricName = keyof typeof METRICS;
export type Metrics = Readonly<Partial<Record<MetricName, number>>>;

/**
 * How a slice ended: everything is done; its time was up; it must wait for the service; something
 * prevented progress, such as another run; it threw.
 */
export type Ending = "complete" | "time-up" | "wait" | "stalled" | "failed";

/** A slice's metrics, and further fields of the log line that queries can group by. */
export interface Measured {
  readonly metrics: Metrics;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** For a slice that ended before there was anything to measure. */
export const NOTHING_MEASURED: Measured = { metrics: {}, properties: {} };

export interface SliceFigures {
  readonly action: string;
  /** True for a sync of everything up to now; false for a sync of a requested range. */
  readonly whole: boolean;
  readonly ending: Ending;
  /** Why the slice is not complete, for people. */
  readonly reason: string | null;
  readonly tookMs: number;
  /** Requests to the service. Null: the run had not started. */
  readonly counts: { readonly requests: number; readonly refused: number } | null;
  /** Null: the action was not a sync, or it threw. */
  readonly result: SyncResult | null;
}

export function measureSlice(figures: SliceFigures, now: number): Measured {
  const { action, whole, ending, reason, tookMs, counts, result } = figures;
  return {
    metrics: {
      ...(counts === null ? {} : { Requests: counts.requests, Refused: counts.refused }),
      ...(result === null ? {} : { FillsAdded: result.added, Restated: result.restated }),
      ...(whole && ending === "complete" ? { Completed: 1 } : {}),
      ...(result !== null && whole && STANDING.includes(ending) ? coverageMetrics(result, now) : {}),
    },
    properties: {
      action,
      ending,
      ...(reason === null ? {} : { reason }),
      tookSeconds: Math.round(tookMs / SECOND_MS),
      ...(result === null ? {} : { fillsInArchive: result.fills }),
    },
  };
}

/** The metrics of a slice that ended with an error. The error has the name that the state machine sees. */
export function withFailure({ metrics, properties }: Measured, error: Error): Measured {
  return {
    metrics: { ...metrics, Failed: 1, ...(error.name === "TokenRefused" ? { TokenRefused: 1 } : {}) },
    properties: { ...properties, ending: "failed", error: error.name, reason: error.message },
  };
}

/**
 * The coverage will not change until somebody acts, and no other metric reports that. A run that continues by
 * itself has gaps that are no fault, and a failure is counted as `Failed`: one account whose token is refused for
 * weeks must not hide another account that falls behind.
 */
const STANDING: readonly Ending[] = ["complete", "stalled"];

function coverageMetrics({ coverage }: SyncResult, now: number): Metrics {
  const twice = union(coverage.filter(({ readings }) => readings === 2));
  const end = twice.at(-1)?.to;
  return end === undefined
    ? {}
    : { Gaps: twice.length - 1, CoverageLagSeconds: Math.max(0, Math.round((now - end) / SECOND_MS)) };
}

/**
 * A log line in the embedded metric format. CloudWatch makes metrics from it, and queries can use its other
 * fields.
 *   https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function metricRecord({ metrics, properties }: Measured, now: number): Readonly<Record<string, unknown>> {
  const names = Object.keys(metrics) as MetricName[]; // Object.keys forgets the keys' type
  return {
    message: "slice measured",
    ...properties,
    ...metrics,
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [
        {
          Namespace: METRIC_NAMESPACE,
          Dimensions: [[]],
          Metrics: names.map((name) => ({ Name: name, Unit: METRICS[name].unit })),
        },
      ],
    },
  };
}
