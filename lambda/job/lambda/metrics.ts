import { SECOND_MS } from "../../core/time.ts";
import type { SyncResult } from "../context.ts";
import type { Environment } from "../settings.ts";

/** Names where CloudWatch keeps what the function tells it: each deployment in its own place. */
const NAMESPACE = "FILLBOOK_METRIC_NAMESPACE";

/**
 * One metric each for all accounts together, so that a thousand accounts cost no more than one: the line that
 * carries them names the account. `statistic`: the one that is right over the slices of all accounts in a
 * period.
 */
export const METRICS = {
  FillsAdded: { unit: "Count", statistic: "Sum" },
  Requests: { unit: "Count", statistic: "Sum" },
  /** 429s */
  Refused: { unit: "Count", statistic: "Sum" },
  /** Fills that came late or changed in covered times. */
  Restated: { unit: "Count", statistic: "Sum" },
  /**
   * Runs of an account's whole book that were completed: everything up to now less the settle lag is in the
   * archive.
   */
  Completed: { unit: "Count", statistic: "Sum" },
  /** Slices that ended with an error which no other slice would mend. */
  Failed: { unit: "Count", statistic: "Sum" },
  /** Those of them whose token the service refused. */
  TokenRefused: { unit: "Count", statistic: "Sum" },
  /** Holes between covered windows of one account. */
  Gaps: { unit: "Count", statistic: "Maximum" },
  /** Now less the end of one account's coverage. */
  CoverageLagSeconds: { unit: "Seconds", statistic: "Maximum" },
  /** Longest time from a fill's transaction to its first sight, of fills that came late in covered times. */
  LatenessSeconds: { unit: "Seconds", statistic: "Maximum" },
} as const;

export type MetricName = keyof typeof METRICS;
export type Metrics = Readonly<Partial<Record<MetricName, number>>>;

/**
 * How a slice ended: all is done; its time was up; it must wait, for the service or for another run;
 * something is in the way; no slice is long enough; it threw.
 */
export type Ending = "complete" | "time-up" | "wait" | "setback" | "too-long" | "failed";

/** A slice in figures, and what else its line says so that a query can group by it. */
export interface Measured {
  readonly metrics: Metrics;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Of a slice that ended before there was anything to measure. */
export const NOTHING_MEASURED: Measured = { metrics: {}, properties: {} };

export interface SliceFigures {
  readonly action: string;
  /** A sync of everything up to now, not of a range that somebody asked for. */
  readonly whole: boolean;
  readonly ending: Ending;
  /** Why it is not complete, for people. */
  readonly reason: string | null;
  readonly tookMs: number;
  /** What was asked of the service; null: the run did not come so far. */
  readonly counts: { readonly requests: number; readonly refused: number } | null;
  /** Null: it was not a sync, or there was no archive to speak of. */
  readonly result: SyncResult | null;
}

export function measureSlice(figures: SliceFigures, now: number): Measured {
  const { action, whole, ending, reason, tookMs, counts, result } = figures;
  return {
    metrics: {
      ...(counts === null ? {} : { Requests: counts.requests, Refused: counts.refused }),
      ...(result === null ? {} : syncMetrics(result)),
      ...(whole && ending === "complete" ? { Completed: 1 } : {}),
      ...(result !== null && whole && isStanding(ending) ? coverageMetrics(result, now) : {}),
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

/** The same slice, which then ended with an error: named as the state machine sees it. */
export function withFailure({ metrics, properties }: Measured, error: Error): Measured {
  return {
    metrics: { ...metrics, Failed: 1, ...(error.name === "TokenRefused" ? { TokenRefused: 1 } : {}) },
    properties: { ...properties, ending: "failed", error: error.name, reason: error.message },
  };
}

function syncMetrics({ added, restated, lateness }: SyncResult): Metrics {
  return {
    FillsAdded: added,
    Restated: restated,
    ...(lateness === null ? {} : { LatenessSeconds: Math.round(lateness.maxMs / SECOND_MS) }),
  };
}

/**
 * Whether the coverage stays as it is until somebody does something, and no other metric says so: a run that
 * goes on by itself has holes that are no fault, and what failed is counted as that. One account whose token
 * is refused for weeks must not hide another that falls behind.
 */
function isStanding(ending: Ending): boolean {
  return ending === "complete" || ending === "setback";
}

function coverageMetrics({ coverage }: SyncResult, now: number): Metrics {
  const end = coverage.at(-1)?.to;
  return end === undefined
    ? {}
    : { Gaps: coverage.length - 1, CoverageLagSeconds: Math.max(0, Math.round((now - end) / SECOND_MS)) };
}

/**
 * A line of the embedded metric format: CloudWatch Logs makes the metrics from it, and queries find the slice
 * by its other fields.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function metricRecord(
  { metrics, properties }: Measured,
  now: number,
  environment: Environment,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(metrics) as MetricName[]; // Object.keys forgets the keys' type
  return {
    message: "slice measured",
    ...properties,
    ...metrics,
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [
        {
          Namespace: environment[NAMESPACE] ?? "fillbook",
          Dimensions: [[]],
          Metrics: names.map((name) => ({ Name: name, Unit: METRICS[name].unit })),
        },
      ],
    },
  };
}
