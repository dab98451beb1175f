import { Duration } from "aws-cdk-lib";
import type { IHttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { type IMetric, MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { METRIC_NAMESPACE, METRICS, type MetricName } from "../../lambda/job/lambda/metrics.ts";
import type { Watch } from "./alarms.ts";

const MINUTE = Duration.minutes(1);
const MOMENT = Duration.minutes(5);
const HOUR = Duration.hours(1);
const DAY = Duration.days(1);

const SILENT_HOURS = 26; // a night, and two hours for a slow one
/**
 * CloudWatch's days may begin at any time, so the events of one night can fall into two of its days, but
 * never into three.
 */
const GAP_DAYS = 3;
const BEHIND = Duration.hours(48);

const AT_ONCE = { statistic: Stats.SUM, period: MOMENT };

/** A metric that the function writes, over all accounts, with the statistic that fits it. */
function own(metricName: MetricName, period: Duration): Metric {
  const { statistic } = METRICS[metricName];
  return new Metric({ namespace: METRIC_NAMESPACE, metricName, statistic, period });
}

/**
 * What is watched, most urgent first. `one`: runs an account on demand; `nightly`: all accounts each night.
 */
export function watches(
  fn: IFunction,
  machines: { readonly one: StateMachine; readonly nightly: StateMachine },
): readonly Watch[] {
  return [
    ...Object.entries({ "the nightly run": machines.nightly, "a run on demand": machines.one }).map(
      ([of, machine]) => ({
        ...event("Run failed", `${of} failed.`, machine.metricFailed(AT_ONCE)),
        of,
      }),
    ),
    {
      title: "Not run in 26 hours", // also when the schedule cannot start it, and when somebody stops it
      what: `no nightly run was complete in the last ${SILENT_HOURS} hours.`,
      // FILL replaces missing data: otherwise CloudWatch looks further back than its period before it treats
      // missing data as bad.
      metric: new MathExpression({
        label: "complete nightly runs",
        expression: "FILL(succeeded, 0)",
        usingMetrics: { succeeded: machines.nightly.metricSucceeded({ statistic: Stats.SUM, period: HOUR }) },
        period: HOUR,
      }),
      periods: SILENT_HOURS,
      isSilence: true,
    },
    // The shortest period: a refusal in another minute raises its own alarm, even if another account's
    // token is refused every night.
    event("Refused token", "the service refused the token of an account.", own("TokenRefused", MINUTE)),
    event(
      "Function errors",
      "a slice failed for a reason other than a refused token, or was killed.",
      new MathExpression({
        label: "errors other than refused tokens",
        expression: "errors - FILL(refused, 0)",
        usingMetrics: { errors: fn.metricErrors(AT_ONCE), refused: own("TokenRefused", MOMENT) },
        period: MOMENT,
      }),
    ),
    {
      title: "Coverage gap",
      what: "for more than a day, the coverage of an account has had gaps from interrupted slices.",
      metric: own("Gaps", DAY),
      periods: GAP_DAYS,
    },
    {
      title: "Coverage behind",
      what: `the archive of an account is more than ${BEHIND.toHours()} hours behind, and its runs are interrupted.`,
      metric: own("CoverageLagSeconds", DAY),
      threshold: BEHIND.toSeconds(),
    },
    {
      title: "Restatements", // one row is enough to change a pack that somebody has filed
      what: "fills came late or changed in times that were already covered: earlier packs may be out of date.",
      metric: own("Restated", DAY),
    },
  ];
}

function event(title: string, what: string, metric: IMetric): Watch {
  return { title, what, metric, isEvent: true };
}

/** The page's alarm. A function that fails or is killed is a server error of the API, too. */
export function pageWatches(api: IHttpApi): readonly Watch[] {
  const what = "the page answered a request with a server error, or its function was killed.";
  return [event("Page errors", what, api.metricServerError(AT_ONCE))];
}
