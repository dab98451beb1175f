import { ArnFormat, Duration, RemovalPolicy, Stack } from "aws-cdk-lib";
import { Effect, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  JitterType,
  JsonPath,
  Pass,
  StateMachine,
  Succeed,
  TaskInput,
  Wait,
  WaitTime,
} from "aws-cdk-lib/aws-stepfunctions";
import { LambdaInvoke } from "aws-cdk-lib/aws-stepfunctions-tasks";
import { Construct } from "constructs";
import { acknowledge } from "./acknowledgements.ts";
import { jobName } from "./names.ts";

/** A turn is 11 of the 25,000 events that an execution's history may have; a thousand slices of 14 minutes are more than nine days. */
export const MAX_TURNS = 1000;

/** Slices that ended early because something was wrong, not because their time was up. */
export const MAX_SETBACKS = 24;

const TIMEOUT = Duration.days(10);

/**
 * The loop that turns slices into a whole run: calls the function until it says `complete`. The state of the run is in the archive, so what
 * goes round is only what to do. Started nightly by the schedule, and by hand with a period.
 */
export class Loop extends Construct {
  readonly machine: StateMachine;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: { readonly account: string; readonly fn: IFunction }) {
    super(scope, id);
    const name = jobName(props.account);
    const stack = Stack.of(this);
    this.role = new Role(this, "Role", {
      description: `fillbook: calls the function of account ${props.account}`,
      assumedBy: new ServicePrincipal("states.amazonaws.com", {
        conditions: {
          StringEquals: { "aws:SourceAccount": stack.account },
          ArnEquals: {
            "aws:SourceArn": stack.formatArn({
              service: "states",
              resource: "stateMachine",
              resourceName: name,
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          },
        },
      }),
    });
    this.role.addToPolicy(
      new PolicyStatement({
        sid: "Slices",
        effect: Effect.ALLOW,
        actions: ["lambda:InvokeFunction"],
        resources: [props.fn.functionArn],
      }),
    );
    this.machine = new StateMachine(this, "Machine", {
      stateMachineName: name,
      comment: "fillbook: slices until the run is complete",
      definitionBody: DefinitionBody.fromChainable(this.#definition(props.fn)),
      role: this.role.withoutPolicyUpdates(),
      timeout: TIMEOUT,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(this.machine, "AwsSolutions-SF1");
    acknowledge(this.machine, "AwsSolutions-SF2");
  }

  #definition(fn: IFunction): Pass {
    const start = new Pass(this, "Start", {
      parameters: { "request.$": "$", run: { "runId.$": "$$.Execution.Name" }, turn: 1, setbacks: 0 },
    });
    const slice = this.#slice(fn);
    const wait = new Wait(this, "Pause", { time: WaitTime.secondsPath("$.pauseSeconds") });
    const next = (id: string, setbacks: string) =>
      new Pass(this, id, {
        parameters: {
          "request.$": "$.request",
          "run.$": "$.run",
          "turn.$": "States.MathAdd($.turn, 1)",
          "setbacks.$": setbacks,
          "pauseSeconds.$": "$.slice.answer.retryAfterSeconds",
        },
      }).next(wait);
    wait.next(slice);
    const judge = new Choice(this, "Complete?")
      .when(
        Condition.booleanEquals("$.slice.answer.complete", true),
        new Succeed(this, "Complete", { outputPath: "$.slice.answer" }),
      )
      .when(
        Condition.numberGreaterThanEquals("$.turn", MAX_TURNS),
        new Fail(this, "TooManyTurns", {
          error: "TooManyTurns",
          cause: `not complete after ${MAX_TURNS} slices; what was walked is kept, start the machine again`,
        }),
      )
      .when(
        Condition.and(
          Condition.booleanEquals("$.slice.answer.setback", true),
          Condition.numberGreaterThanEquals("$.setbacks", MAX_SETBACKS),
        ),
        new Fail(this, "TooManySetbacks", { error: "NotComplete", causePath: "$.slice.answer.error.message" }),
      )
      .when(
        Condition.booleanEquals("$.slice.answer.setback", true),
        next("CountSetback", "States.MathAdd($.setbacks, 1)"),
      )
      .otherwise(next("CountTurn", "$.setbacks"));
    slice.next(judge);
    start.next(slice);
    return start;
  }

  /**
   * The function's own errors (TokenRefused, UntrustedData, BadSettings, Fault) end the execution: trying again would not help. A busy function
   * (another execution holds its one place), the platform's faults and a slice that was killed are tried again.
   */
  #slice(fn: IFunction): LambdaInvoke {
    const slice = new LambdaInvoke(this, "RunSlice", {
      lambdaFunction: fn,
      payload: TaskInput.fromText(JsonPath.stringAt("States.JsonMerge($.request, $.run, false)")),
      resultSelector: { "answer.$": "$.Payload" },
      resultPath: "$.slice",
      retryOnServiceExceptions: false,
    });
    slice.addRetry({
      errors: ["Lambda.TooManyRequestsException"],
      interval: Duration.seconds(30),
      backoffRate: 2,
      maxDelay: Duration.minutes(15),
      maxAttempts: 16,
      jitterStrategy: JitterType.FULL,
    });
    slice.addRetry({
      errors: [
        "Lambda.ServiceException",
        "Lambda.AWSLambdaException",
        "Lambda.SdkClientException",
        "Lambda.ClientExecutionTimeoutException",
      ],
      interval: Duration.seconds(2),
      backoffRate: 2,
      maxAttempts: 6,
      jitterStrategy: JitterType.FULL,
    });
    slice.addRetry({
      errors: ["Lambda.Unknown", "Sandbox.Timedout", "Runtime.ExitError"],
      interval: Duration.seconds(60),
      backoffRate: 2,
      maxAttempts: 2,
    });
    slice.addCatch(new Fail(this, "Failed", { errorPath: "$.failure.Error", causePath: "$.failure.Cause" }), {
      resultPath: "$.failure",
    });
    return slice;
  }
}
