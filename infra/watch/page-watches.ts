import { Duration } from "aws-cdk-lib";
import type { IHttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Watch } from "./watch.ts";

const SUM = { statistic: Stats.SUM, period: Duration.minutes(5) };

/** What of the page can go wrong. */
export interface WatchedPage {
  readonly fn: IFunction;
  readonly api: IHttpApi;
}

/** A function that is killed shows in both; what the function answers itself when something went wrong, in the second alone. */
export function pageWatches({ fn, api }: WatchedPage): readonly Watch[] {
  return [
    {
      title: "Page errors",
      of: "the function",
      what: "the page's function threw, or was killed.",
      metric: fn.metricErrors(SUM),
      threshold: 1,
      isEvent: true,
    },
    {
      title: "Page errors",
      of: "the answers",
      what: "the page answered somebody that something went wrong.",
      metric: api.metricServerError(SUM),
      threshold: 1,
      isEvent: true,
    },
  ];
}
