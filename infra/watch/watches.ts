import { Duration } from "aws-cdk-lib";
import type { IHttpApi } from "aws-cdk-lib/aws-apigatewayv2";
import { MathExpression, Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { IUserPool, IUserPoolClient } from "aws-cdk-lib/aws-cognito";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { IQueue } from "aws-cdk-lib/aws-sqs";
import type { StateMachine } from "aws-cdk-lib/aws-stepfunctions";
import { METRICS, type MetricName } from "../../lambda/job/lambda/metrics.ts";
import type { Names } from "../names.ts";
import type { StackSettings } from "../settings.ts";
import type { Watch } from "./alarms.ts";

const MINUTE = Duration.minutes(1);
const MOMENT = Duration.minutes(5);
const HOUR = Duration.hours(1);
const DAY = Duration.days(1);

const SILENT_HOURS = 26; // a night, and two hours for a slow one
/**
 * CloudWatch's days begin at any time, so what happens in one night can lie in two of them, and never in
 * three.
 */
const GAP_DAYS = 3;
const BEHIND = Duration.hours(48);
/** No limit that was measured (test/programs/limits/RESULTS.md) refuses more than 5.4 % of the requests. */
const REFUSED_PERCENT = 20;
/** Fewer say nothing: the first answer of a short run may be a refusal. */
const REFUSED_LEAST_REQUESTS = 100;
/** In five minutes. */
const REFUSALS_AT_ONCE = 50;
/** In an hour. */
const FAILED_SIGN_INS = 10;
/** Refused starts are tried again, so a few of them only cost time. */
const THROTTLES_AN_HOUR = 20;

const AT_ONCE = { statistic: Stats.SUM, period: MOMENT };
const HOURLY = { statistic: Stats.SUM, period: HOUR };

/** A metric that the function writes, of all accounts, by the statistic that is right for it. */
export function ownMetric(names: Names, metricName: MetricName, period: Duration): Metric {
  const { statistic } = METRICS[metricName];
  return new Metric({ namespace: names.metrics, metricName, statistic, period });
}

/** What the job stack has that can go wrong. */
export interface Watched {
  readonly fn: IFunction;
  /** For one account, on demand; for all of them, each night. */
  readonly machines: { readonly one: StateMachine; readonly nightly: StateMachine };
  /** Of the schedule. */
  readonly deadLetters: IQueue;
}

/** What is watched, in the order of urgency. */
export function watches(
  { fn, machines, deadLetters }: Watched,
  { names, lookBackDays }: Pick<StackSettings, "names" | "lookBackDays">,
): readonly Watch[] {
  const own = (metric: MetricName, period: Duration) => ownMetric(names, metric, period);
  return [
    ...failures("the nightly run", machines.nightly),
    ...failures("a run on demand", machines.one),
    {
      title: "Not run in 26 hours",
      what: `no nightly run ended well in ${SILENT_HOURS} hours.`,
      // Filled, because CloudWatch looks further back than it is told before it takes missing data for bad.
      metric: new MathExpression({
        label: "nightly runs that were complete",
        expression: "FILL(succeeded, 0)",
        usingMetrics: { succeeded: machines.nightly.metricSucceeded(HOURLY) },
        period: HOUR,
      }),
      periods: SILENT_HOURS,
      isSilence: true,
    },
    {
      title: "Nightly run not started",
      what: "the schedule could not start the nightly run.",
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM, period: MOMENT }),
    },
    {
      title: "Refused token",
      what: "the service refused the token of an account.",
      // The shortest that there is: each refusal of another minute is told, beside one that comes every
      // night.
      metric: own("TokenRefused", MINUTE),
      isEvent: true,
    },
    {
      title: "Function errors",
      what: "a slice threw for another reason than a refused token, or was killed.",
      metric: new MathExpression({
        label: "errors of another kind than a refused token",
        expression: "errors - FILL(refused, 0)",
        usingMetrics: { errors: fn.metricErrors(AT_ONCE), refused: own("TokenRefused", MOMENT) },
        period: MOMENT,
      }),
      isEvent: true,
    },
    {
      title: "Coverage gap",
      what: "for more than a day, slices that something stopped have left holes in the coverage of an account.",
      metric: own("Gaps", DAY),
      periods: GAP_DAYS,
    },
    {
      title: "Coverage behind",
      what: `the archive of an account ends more than ${BEHIND.toHours()} hours ago, and something stops its runs.`,
      metric: own("CoverageLagSeconds", DAY),
      threshold: BEHIND.toSeconds(),
    },
    {
      title: "Restatements", // one row is enough to change a pack that somebody has filed
      what: "fills came late or changed in times that were covered: packs made before may differ.",
      metric: own("Restated", DAY),
    },
    {
      title: "Late fills",
      what: "a fill came so late that the look-back may miss the next one.",
      metric: own("LatenessSeconds", DAY),
      threshold: Duration.days(lookBackDays).toSeconds() / 2,
    },
    {
      title: "Service throttles us",
      what: `the service refused ${REFUSED_PERCENT} % or more of a day's requests.`,
      metric: new MathExpression({
        label: "refused requests, %",
        expression: `IF(requests >= ${REFUSED_LEAST_REQUESTS}, 100 * refused / requests, 0)`,
        usingMetrics: { requests: own("Requests", DAY), refused: own("Refused", DAY) },
        period: DAY,
      }),
      threshold: REFUSED_PERCENT,
    },
    {
      title: "Function throttled",
      what: `Lambda refused to start the function ${THROTTLES_AN_HOUR} times in an hour or more: its places or the quota are used up.`,
      metric: fn.metricThrottles(HOURLY),
      threshold: THROTTLES_AN_HOUR,
    },
  ];
}

/** An alarm for each end, since a sum has no value where one of its metrics has none. */
function failures(of: string, machine: StateMachine): readonly Watch[] {
  const ends = {
    failed: machine.metricFailed(AT_ONCE),
    "timed out": machine.metricTimedOut(AT_ONCE),
    "was stopped": machine.metricAborted(AT_ONCE),
  };
  return Object.entries(ends).map(([end, metric]) => ({
    title: "Run failed",
    of: `${of} ${end}`,
    what: `${of} ${end}.`,
    metric,
    isEvent: true,
  }));
}

/** What the page has that can go wrong. */
export interface WatchedPage {
  readonly fn: IFunction;
  readonly api: IHttpApi;
  readonly refused: Metric;
  readonly pool: IUserPool;
  readonly client: IUserPoolClient;
}

/**
 * Of the page. A function that is killed shows in both of the errors; what the function answers itself when
 * something went wrong, in the second alone. A session that is over makes a refusal or two, and a person
 * mistypes a password now and then: programs do it by the dozen.
 */
export function pageWatches({ fn, api, refused, pool, client }: WatchedPage): readonly Watch[] {
  const title = "Page errors";
  return [
    {
      title,
      of: "the function",
      what: "the page's function threw, or was killed.",
      metric: fn.metricErrors(AT_ONCE),
      isEvent: true,
    },
    {
      title,
      of: "the answers",
      what: "the page answered somebody that something went wrong.",
      metric: api.metricServerError(AT_ONCE),
      isEvent: true,
    },
    {
      title: "Page refuses",
      what: `the page refused ${REFUSALS_AT_ONCE} requests or more in five minutes: no valid token, from elsewhere, or too many.`,
      metric: refused.with(AT_ONCE),
      threshold: REFUSALS_AT_ONCE,
    },
    {
      title: "Sign-ins fail",
      what: `${FAILED_SIGN_INS} sign-ins or more failed in an hour.`,
      metric: failedSignIns(pool, client),
      threshold: FAILED_SIGN_INS,
    },
  ];
}

/**
 * Cognito gives a 1 for each that succeeded and a 0 for each that did not.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/metrics-for-cognito-user-pools.html
 */
function failedSignIns({ userPoolId: UserPool }: IUserPool, { userPoolClientId: UserPoolClient }: IUserPoolClient) {
  const of = (statistic: string) =>
    new Metric({
      namespace: "AWS/Cognito",
      metricName: "SignInSuccesses",
      dimensionsMap: { UserPool, UserPoolClient },
      statistic,
      period: HOUR,
    });
  return new MathExpression({
    label: "sign-ins that failed",
    expression: "tried - succeeded",
    usingMetrics: { tried: of(Stats.SAMPLE_COUNT), succeeded: of(Stats.SUM) },
    period: HOUR,
  });
}
