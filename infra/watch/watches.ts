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
 * CloudWatch's days may begin at any time, so the events of one night can fall into two of its days, but
 * never into three.
 */
const GAP_DAYS = 3;
const BEHIND = Duration.hours(48);
/** No measured limit (test/programs/limits/RESULTS.md) refuses more than 5.4 % of the requests. */
const REFUSED_PERCENT = 20;
/** Fewer requests are too few to judge: the first answer of a short run may be a refusal. */
const REFUSED_LEAST_REQUESTS = 100;
/** In five minutes. */
const REFUSALS_AT_ONCE = 50;
/** In an hour. */
const FAILED_SIGN_INS = 10;
/** Refused starts are retried, so a few only cost time. */
const THROTTLES_AN_HOUR = 20;

const AT_ONCE = { statistic: Stats.SUM, period: MOMENT };
const HOURLY = { statistic: Stats.SUM, period: HOUR };

/** A metric that the function writes, over all accounts, with the statistic that fits it. */
export function ownMetric(names: Names, metricName: MetricName, period: Duration): Metric {
  const { statistic } = METRICS[metricName];
  return new Metric({ namespace: names.metrics, metricName, statistic, period });
}

/** The parts of the job stack that are watched. */
export interface Watched {
  readonly fn: IFunction;
  /** One account on demand; all accounts each night. */
  readonly machines: { readonly one: StateMachine; readonly nightly: StateMachine };
  /** The schedule's dead-letter queue. */
  readonly deadLetters: IQueue;
}

/** What is watched, most urgent first. */
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
      what: `no nightly run was complete in the last ${SILENT_HOURS} hours.`,
      // FILL replaces missing data: otherwise CloudWatch looks further back than its period before it treats
      // missing data as bad.
      metric: new MathExpression({
        label: "complete nightly runs",
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
      // The shortest period: a refusal in another minute raises its own alarm, even if another account's
      // token is refused every night.
      metric: own("TokenRefused", MINUTE),
      isEvent: true,
    },
    {
      title: "Function errors",
      what: "a slice failed for a reason other than a refused token, or was killed.",
      metric: new MathExpression({
        label: "errors other than refused tokens",
        expression: "errors - FILL(refused, 0)",
        usingMetrics: { errors: fn.metricErrors(AT_ONCE), refused: own("TokenRefused", MOMENT) },
        period: MOMENT,
      }),
      isEvent: true,
    },
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
    {
      title: "Late fills",
      what: "a fill came so late that the look-back may miss the next one.",
      metric: own("LatenessSeconds", DAY),
      threshold: Duration.days(lookBackDays).toSeconds() / 2,
    },
    {
      title: "Service throttles us",
      what: `the service refused at least ${REFUSED_PERCENT} % of a day's requests.`,
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
      what: `Lambda refused to start the function at least ${THROTTLES_AN_HOUR} times in an hour: its reserved concurrency or the quota is used up.`,
      metric: fn.metricThrottles(HOURLY),
      threshold: THROTTLES_AN_HOUR,
    },
  ];
}

/** An alarm for each way a run can fail, because a sum has no value if one of its metrics has none. */
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

/** The parts of the page that are watched. */
export interface WatchedPage {
  readonly fn: IFunction;
  readonly api: IHttpApi;
  readonly refused: Metric;
  readonly pool: IUserPool;
  readonly client: IUserPoolClient;
}

/**
 * The page's alarms. A killed function counts in both kinds of errors; an error that the function answers
 * itself counts in the second only. An expired session causes a refusal or two, and people mistype passwords;
 * only programs reach the thresholds.
 */
export function pageWatches({ fn, api, refused, pool, client }: WatchedPage): readonly Watch[] {
  const title = "Page errors";
  return [
    {
      title,
      of: "the function",
      what: "the page's function failed or was killed.",
      metric: fn.metricErrors(AT_ONCE),
      isEvent: true,
    },
    {
      title,
      of: "the answers",
      what: "the page answered a request with a server error.",
      metric: api.metricServerError(AT_ONCE),
      isEvent: true,
    },
    {
      title: "Page refuses",
      what: `the page refused at least ${REFUSALS_AT_ONCE} requests in five minutes: no valid token, another site, or too many requests.`,
      metric: refused.with(AT_ONCE),
      threshold: REFUSALS_AT_ONCE,
    },
    {
      title: "Sign-ins fail",
      what: `at least ${FAILED_SIGN_INS} sign-ins failed in an hour.`,
      metric: failedSignIns(pool, client),
      threshold: FAILED_SIGN_INS,
    },
  ];
}

/**
 * Cognito reports 1 for each success and 0 for each failure.
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
    label: "failed sign-ins",
    expression: "tried - succeeded",
    usingMetrics: { tried: of(Stats.SAMPLE_COUNT), succeeded: of(Stats.SUM) },
    period: HOUR,
  });
}
