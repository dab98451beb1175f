import { Duration } from "aws-cdk-lib";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import {
  Choice,
  Condition,
  JitterType,
  JsonPath,
  Pass,
  type RetryProps,
  type State,
  TaskInput,
  Wait,
  WaitTime,
} from "aws-cdk-lib/aws-stepfunctions";
import { LambdaInvoke } from "aws-cdk-lib/aws-stepfunctions-tasks";
import { Construct } from "constructs";

/**
 * A turn takes 11 of the 25,000 events that an execution's history may have. A thousand slices of 14 minutes
 * are more than nine days.
 */
export const MAX_TURNS = 1000;

/**
 * The most slices of a run that may stall: end early because of a problem. Slices that ran out of time do not
 * count.
 */
export const MAX_STALLS = 24;

/** Longer than a thousand slices take. */
export const TIMEOUT = Duration.days(10);

/**
 * The loop's input; the values are parameters of a state. `request` is the function's event; `runId` names
 * the run in the logs.
 */
export function loopInput(request: unknown, runId: string): Record<string, unknown> {
  return { request, run: { runId }, turn: 1, stalls: 0 };
}

export interface Ends {
  /** Receives the last answer in `$.slice.answer` and the request in `$.request`. */
  readonly complete: State;
  /** Receives `$.failure` with `Error` and `Cause`, and the request in `$.request`. */
  readonly failed: State;
}

/**
 * The states that turn slices into a whole run of one account: they call the function until it answers
 * `complete`. The archive holds the run's state, so the loop passes on only the request. Returns the first
 * state.
 */
export function loop(scope: Construct, fn: IFunction, { complete, failed }: Ends): State {
  const here = new Construct(scope, "Loop");
  const slice = invocation(here, fn);
  slice.addCatch(failed, { resultPath: "$.failure" });
  const wait = new Wait(here, "Pause", { time: WaitTime.secondsPath("$.pauseSeconds") });
  wait.next(slice);
  const next = (id: string, stalls: string) =>
    new Pass(here, id, {
      parameters: {
        "request.$": "$.request",
        "run.$": "$.run",
        "turn.$": "States.MathAdd($.turn, 1)",
        "stalls.$": stalls,
        "pauseSeconds.$": "$.slice.answer.retryAfterSeconds",
      },
    }).next(wait);
  const giveUp = (id: string, failure: Record<string, string>) =>
    new Pass(here, id, { parameters: failure, resultPath: "$.failure" }).next(failed);
  const isStalled = Condition.booleanEquals("$.slice.answer.stalled", true);
  const judge = new Choice(here, "Complete?")
    .when(Condition.booleanEquals("$.slice.answer.complete", true), complete)
    .when(
      Condition.numberGreaterThanEquals("$.turn", MAX_TURNS),
      giveUp("TooManyTurns", {
        Error: "TooManyTurns",
        Cause: `not complete after ${MAX_TURNS} slices. What was walked is kept; start the machine again`,
      }),
    )
    .when(
      Condition.and(isStalled, Condition.numberGreaterThanEquals("$.stalls", MAX_STALLS)),
      giveUp("TooManyStalls", { Error: "NotComplete", "Cause.$": "$.slice.answer.error.message" }),
    )
    .when(isStalled, next("CountStall", "States.MathAdd($.stalls, 1)"))
    .otherwise(next("CountTurn", "$.stalls"));
  slice.next(judge);
  return slice;
}

/**
 * The function's own errors (TokenRefused, UntrustedData, BadSettings, Fault) end the execution, because a
 * retry would not help. A busy function (another execution holds its one place), faults of the platform and a
 * killed slice are retried.
 */
function invocation(here: Construct, fn: IFunction): LambdaInvoke {
  const slice = new LambdaInvoke(here, "RunSlice", {
    lambdaFunction: fn,
    payload: TaskInput.fromText(JsonPath.stringAt("States.JsonMerge($.request, $.run, false)")),
    resultSelector: { "answer.$": "$.Payload" },
    resultPath: "$.slice",
    retryOnServiceExceptions: false,
  });
  const again = (errors: string[], seconds: number, maxAttempts: number, more: Partial<RetryProps> = {}) =>
    slice.addRetry({ errors, interval: Duration.seconds(seconds), backoffRate: 2, maxAttempts, ...more });
  const jitterStrategy = JitterType.FULL;
  again(["Lambda.TooManyRequestsException"], 30, 16, { maxDelay: Duration.minutes(15), jitterStrategy });
  const platform = ["ServiceException", "AWSLambdaException", "SdkClientException", "ClientExecutionTimeoutException"];
  again(
    platform.map((name) => `Lambda.${name}`),
    2,
    6,
    { jitterStrategy },
  );
  again(["Lambda.Unknown", "Sandbox.Timedout", "Runtime.ExitError"], 60, 2);
  return slice;
}
