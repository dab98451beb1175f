import { CfnQueryDefinition, type ILogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { Names } from "../names.ts";

/**
 * A query for CloudWatch Logs Insights: the function writes one line `slice measured` for each slice
 * (lambda/job/lambda/metrics.ts), however the slice ends.
 */
export interface Query {
  readonly title: string;
  /** Commands, in order. */
  readonly lines: readonly string[];
}

const SLICES = 'filter message = "slice measured"';

export const LAST_RUNS: Query = {
  title: "last run by account",
  lines: [
    SLICES,
    "stats max(@timestamp) as lastAt, latest(ending) as lastEnding, latest(fillsInArchive) as fills, latest(runId) as lastRun by account",
    "sort lastAt asc",
    "limit 1000",
  ],
};

export const FAILURES: Query = {
  title: "failures by account",
  lines: [
    SLICES,
    'filter ending in ["failed", "stalled"]',
    "stats count(*) as slices, max(@timestamp) as lastAt, latest(reason) as lastReason, latest(runId) as lastRun by account, ending, error",
    "sort lastAt desc",
    "limit 1000",
  ],
};

export const QUERIES: readonly Query[] = [
  {
    title: "one run",
    lines: [
      "fields @timestamp, account, requestId, level, message, ending, error, reason, covered, fillsSeen, refused",
      'filter runId = "NAME-OF-THE-EXECUTION"',
      "sort @timestamp asc",
      "limit 10000",
    ],
  },
  LAST_RUNS,
  FAILURES,
  {
    title: "requests and refusals by account",
    lines: [
      SLICES,
      "stats sum(Requests) as asked, sum(Refused) as refusals, 100 * sum(Refused) / sum(Requests) as percent by account",
      "sort refusals desc",
      "limit 1000",
    ],
  },
  {
    title: "slowest slices",
    lines: [
      SLICES,
      "fields @timestamp, account, runId, requestId, action, ending, tookSeconds, Requests, FillsAdded",
      "sort tookSeconds desc",
      "limit 50",
    ],
  },
  {
    title: "restatements by account",
    lines: [
      SLICES,
      "filter Restated > 0",
      "stats sum(Restated) as restatements, max(LatenessSeconds) as lateSeconds, max(@timestamp) as lastAt, latest(runId) as lastRun by account",
      "sort restatements desc",
      "limit 1000",
    ],
  },
];

/** The queries that the runbook uses, saved in CloudWatch Logs Insights. */
export function addLogQueries(scope: Construct, names: Names, { logGroupName }: ILogGroup): void {
  const here = new Construct(scope, "LogQueries");
  for (const { title, lines } of QUERIES) {
    new CfnQueryDefinition(here, title.replaceAll(" ", ""), {
      name: names.logQuery(title),
      logGroupNames: [logGroupName],
      queryString: lines.join("\n| "),
    });
  }
}
