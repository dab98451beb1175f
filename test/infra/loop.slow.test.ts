import { describe, expect, test } from "vitest";
import { MAX_STALLS, MAX_TURNS } from "../../infra/job/loop.ts";
import { type Json, type Machine, runMachine } from "./state-machine.ts";
import { brief, resourcesOf, templates } from "./synth.ts";

/** The state machine's definition in the template. */
function machine(name: string, settings: Readonly<Record<string, string>> = {}): Machine {
  const [definition = ""] = resourcesOf(templates(settings).job, "AWS::StepFunctions::StateMachine")
    .filter(([, { Properties }]) => Properties["StateMachineName"] === name)
    .map(([, { Properties }]) => brief(Properties["DefinitionString"]));
  return JSON.parse(definition);
}

const COMPLETE = { complete: true, stalled: false, retryAfterSeconds: 1, fills: 7 };
const TIME_UP = { ...COMPLETE, complete: false };
const STALLED = { ...TIME_UP, stalled: true, retryAfterSeconds: 300, error: { message: "the service answers 503" } };

function refuse(): never {
  throw Object.assign(new Error("the token was refused"), { name: "TokenRefused" });
}

describe("the loop", () => {
  const loop = machine("fillbook");

  test("calls the function until it is complete, each time with the request and the execution's name", () => {
    const answers = [TIME_UP, STALLED, COMPLETE];
    const asked = { action: "export", period: "us-2025" };
    const run = runMachine(loop, asked, () => answers.shift() ?? null, { executionName: "tax-2025-main-v1" });
    expect(run).toMatchObject({ status: "SUCCEEDED", output: COMPLETE, waits: [1, 300] });
    expect(run.calls).toEqual(Array.from({ length: 3 }, () => ({ ...asked, runId: "tax-2025-main-v1" })));
  });

  test("gives up after too many stalled slices, with the last one's message, and at the function's own error", () => {
    const run = runMachine(loop, { action: "sync" }, () => STALLED);
    expect(run).toMatchObject({ status: "FAILED", error: "NotComplete", cause: "the service answers 503" });
    expect(run.calls).toHaveLength(MAX_STALLS + 1);
    const refused = { status: "FAILED", error: "TokenRefused", cause: "the token was refused" };
    expect(runMachine(loop, { action: "sync" }, refuse)).toMatchObject(refused);
  });

  test("gives up after too many slices, well within the 25,000 events of a history", () => {
    const run = runMachine(loop, { action: "sync" }, () => TIME_UP);
    expect(run).toMatchObject({ status: "FAILED", error: "TooManyTurns" });
    expect(run.calls).toHaveLength(MAX_TURNS);
    expect(run.events).toBeLessThan(12_500);
  });

  test("tries again what may succeed then: a busy function, faults of the platform, a killed slice", () => {
    const retries = Object.values(loop.States).flatMap(({ Retry = [] }) => Retry);
    const tries = retries.flatMap(({ ErrorEquals, MaxAttempts }) => ErrorEquals.map((name) => [name, MaxAttempts]));
    const platform = "ServiceException AWSLambdaException SdkClientException ClientExecutionTimeoutException";
    expect(tries).toEqual([
      ["Lambda.TooManyRequestsException", 16],
      ...platform.split(" ").map((name) => [`Lambda.${name}`, 6]),
      ...["Lambda.Unknown", "Sandbox.Timedout", "Runtime.ExitError"].map((name) => [name, 2]),
    ]);
  });
});

describe("the night", () => {
  const accountOf = (payload: unknown) => String((payload as { readonly account: string }).account);

  test("reads the accounts from S3, runs as many at once as the settings say, and itself counts failures", () => {
    const { AllAccounts } = machine("fillbook-nightly", { accounts: "a,b,c", accountsAtOnce: "2" }).States;
    expect(AllAccounts).toMatchObject({
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

  const ACCOUNTS = Array.from({ length: 45 }, (_, index) => `a${index}`);
  const ofAll = machine("fillbook-nightly", { accounts: ACCOUNTS.join(",") });

  /** A night of 45 accounts. `answer` returns the function's answer for the account with the given number. */
  const night = (answer: (index: number) => Json, failed: readonly Json[] = []) =>
    runMachine(ofAll, { action: "sync" }, (payload) => answer(ACCOUNTS.indexOf(accountOf(payload))), {
      ...{ executionName: "night-1", items: ACCOUNTS, failed },
    });

  test("calls the function for each account until it is complete, under the name of the night", () => {
    const ofFirst = [TIME_UP, TIME_UP];
    const run = night((index) => (index === 0 ? ofFirst.pop() : undefined) ?? COMPLETE);
    expect(run).toMatchObject({ status: "SUCCEEDED", output: { complete: 45, missing: [] } });
    const asked = (account: string) => ({ action: "sync", account, runId: "night-1" });
    expect(run.calls).toEqual(["a0", "a0", ...ACCOUNTS].map(asked));
  });

  test("goes on when accounts fail; it succeeds if at most one in twenty does, and names them, and else fails", () => {
    const refusing = (count: number) =>
      night((index) => {
        const answer = index === 0 ? STALLED : COMPLETE;
        return index > 0 && index < count ? refuse() : answer;
      });
    expect(refusing(2)).toMatchObject({ status: "SUCCEEDED", output: { complete: 43, missing: ["a0", "a1"] } });
    const failed = refusing(3);
    expect(new Set(failed.calls.map(accountOf))).toEqual(new Set(ACCOUNTS));
    expect(failed).toMatchObject({ status: "FAILED", error: "AccountsNotComplete" });
    expect(failed.cause).toMatch(/^42 of 45 accounts complete; not complete, among others: a0\./);
  });

  test.each<[string, Json]>([
    ["is empty", null],
    ["does not say whether it is complete", {}],
    ["does not say when to continue", { complete: false, stalled: false }],
  ])("fails only the child whose function's answer %s, whatever the map reports of it", (_, malformed) => {
    const broken = (count: number) => (index: number) => (index < count ? malformed : COMPLETE);
    for (const given of [[], [{ Error: "States.Runtime", Cause: "…" }], [null]]) {
      expect(night(broken(2), given)).toMatchObject({ status: "SUCCEEDED", output: { complete: 43, missing: [] } });
      const { status, error, cause } = night(broken(45), given);
      expect({ status, error }).toEqual({ status: "FAILED", error: "AccountsNotComplete" });
      expect(cause).toMatch(/^0 of 45 accounts complete; /);
    }
  });
});
