import type { IMetric } from "aws-cdk-lib/aws-cloudwatch";

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
