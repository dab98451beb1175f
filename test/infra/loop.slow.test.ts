import { expect, test } from "vitest";
import { brief, resourcesOf, templates } from "./synth.ts";

// What a definition says of the machinery of Step Functions itself. test/aws/loop.e2e.ts runs the definitions.

type State = Readonly<Record<string, unknown>> & {
  readonly Retry?: readonly { readonly ErrorEquals: readonly string[]; readonly MaxAttempts: number }[];
};

function statesOf(machine: string): Readonly<Record<string, State>> {
  const { job } = templates({ accounts: "a,b,c", accountsAtOnce: "2" });
  const all = resourcesOf(job, "AWS::StepFunctions::StateMachine");
  const [, found] = all.find(([, { Properties }]) => Properties["StateMachineName"] === machine) ?? expect.fail();
  return JSON.parse(brief(found.Properties["DefinitionString"])).States;
}

test("the loop tries again what may succeed then: a busy function, faults of the platform, a killed slice", () => {
  const retries = Object.values(statesOf("fillbook")).flatMap(({ Retry = [] }) => Retry);
  const tries = retries.flatMap(({ ErrorEquals, MaxAttempts }) => ErrorEquals.map((name) => [name, MaxAttempts]));
  const platform = "ServiceException AWSLambdaException SdkClientException ClientExecutionTimeoutException";
  expect(tries).toEqual([
    ["Lambda.TooManyRequestsException", 16],
    ...platform.split(" ").map((name) => [`Lambda.${name}`, 6]),
    ...["Lambda.Unknown", "Sandbox.Timedout", "Runtime.ExitError"].map((name) => [name, 2]),
  ]);
});

test("the night reads the accounts from S3, runs as many at once as the settings say, and itself counts failures", () => {
  expect(statesOf("fillbook-nightly")["AllAccounts"]).toMatchObject({
    Type: "Map",
    MaxConcurrency: 2,
    ToleratedFailurePercentage: 100,
    ItemProcessor: { ProcessorConfig: { Mode: "DISTRIBUTED", ExecutionType: "STANDARD" } },
    ItemReader: {
      Resource: expect.stringContaining(":states:::s3:getObject"),
      ReaderConfig: { InputType: "JSON" },
      Parameters: { Key: expect.stringMatching(/^[0-9a-f]{64}\.json$/) },
    },
  });
});
