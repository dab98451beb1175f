import { describe, expect, test } from "vitest";
import { MAX_STALLS, MAX_TURNS } from "../../infra/job/loop.ts";
import { type Json, type Machine, runMachine } from "./state-machine.ts";
import { brief, resourcesOf, templates } from "./synth.ts";

/** The state machine's definition in the template. */
function machine(
  name = "fillbook",
  settings: Readonly<Record<string, string>> = {},
): Machine & { readonly TimeoutSeconds: number } {
  const [definition = ""] = resourcesOf(templates(settings).job, "AWS::StepFunctions::StateMachine")
    .filter(([, { Properties }]) => Properties["StateMachineName"] === name)
    .map(([, { Properties }]) => brief(Properties["DefinitionString"]));
  return JSON.parse(definition);
}

const COMPLETE = { complete: true, stalled: false, retryAfterSeconds: 1, fills: 7 };
const TIME_UP = { ...COMPLETE, complete: false };
const STALLED = { ...TIME_UP, stalled: true, retryAfterSeconds: 300, error: { message: "the service answers 503" } };

function failing(name: string): Error {
  const error = new Error(`because of ${name}`);
  error.name = name;
  return error;
}

function raise(error: Error): never {
  throw error;
}

describe("the loop", () => {
  test("calls the function until it is complete, each time with the request and the execution's name", () => {
    const answers = [TIME_UP, TIME_UP, COMPLETE];
    const asked = { action: "export", period: "us-2025" };
    const run = runMachine(machine(), asked, () => answers.shift() ?? null, {
      executionName: "tax-2025-main-v1",
    });
    expect(run).toMatchObject({ status: "SUCCEEDED", output: COMPLETE, waits: [1, 1] });
    expect(run.calls).toEqual(Array.from({ length: 3 }, () => ({ ...asked, runId: "tax-2025-main-v1" })));
  });

  test("gives up after too many stalled slices, with the last one's message", () => {
    const run = runMachine(machine(), { action: "sync" }, () => STALLED);
    expect(run).toMatchObject({ status: "FAILED", error: "NotComplete", cause: "the service answers 503" });
    expect(run.calls).toHaveLength(MAX_STALLS + 1);
  });

  test("gives up after too many slices, well within the 25,000 events of a history", () => {
    const run = runMachine(machine(), { action: "sync" }, () => TIME_UP);
    expect(run).toMatchObject({ status: "FAILED", error: "TooManyTurns" });
    expect(run.calls).toHaveLength(MAX_TURNS);
    expect(run.events).toBeLessThan(12_500);
  });

  test.each([
    ...["TokenRefused", "UntrustedData", "BadSettings", "Fault"].map((name) => [name, 0] as const),
    ["Lambda.TooManyRequestsException", 16],
    ["Lambda.ServiceException", 6],
    ["Lambda.AWSLambdaException", 6],
    ["Lambda.SdkClientException", 6],
    ["Lambda.ClientExecutionTimeoutException", 6],
    ["Lambda.Unknown", 2],
    ["Sandbox.Timedout", 2],
    ["Runtime.ExitError", 2],
  ] as const)("tries again on %s, %i times", (name, tries) => {
    const failingFirst = (failures: number) => {
      let left = failures;
      return runMachine(machine(), { action: "sync" }, () => {
        left -= 1;
        return left < 0 ? COMPLETE : raise(failing(name));
      });
    };
    expect(failingFirst(tries).status).toBe("SUCCEEDED");
    const broken = failingFirst(tries + 1);
    expect(broken).toMatchObject({ status: "FAILED", error: name, cause: `because of ${name}` });
    expect(broken.calls).toHaveLength(tries + 1);
  });
});

describe("the night", () => {
  const night = (accounts: string) => machine("fillbook-nightly", { accounts });
  const accountOf = (payload: unknown) => String((payload as { readonly account: string }).account);

  test("reads the accounts from S3 and runs as many at once as the settings say", () => {
    const { job } = templates({ accounts: "a,b,c", accountsAtOnce: "2" });
    const definition = resourcesOf(job, "AWS::StepFunctions::StateMachine")
      .map(([, { Properties }]) => brief(Properties["DefinitionString"]))
      .find((text) => text.includes("DISTRIBUTED"));
    const { AllAccounts } = JSON.parse(definition ?? "").States;
    expect(AllAccounts).toMatchObject({
      Type: "Map",
      MaxConcurrency: 2,
      ItemProcessor: { ProcessorConfig: { Mode: "DISTRIBUTED", ExecutionType: "STANDARD" } },
      ItemReader: {
        Resource: expect.stringContaining(":states:::s3:getObject"),
        ReaderConfig: { InputType: "JSON" },
        Parameters: { Key: expect.stringMatching(/^[0-9a-f]{64}\.json$/) },
      },
    });
    expect(AllAccounts).toHaveProperty("ToleratedFailurePercentage", 100); // the night itself counts failures
  });

  test("calls the function for each account until it is complete, under the name of the night", () => {
    const ofMain = [TIME_UP, TIME_UP];
    const run = runMachine(
      night("main,second"),
      { action: "sync" },
      (payload) => (accountOf(payload) === "main" ? ofMain.pop() : undefined) ?? COMPLETE,
      { executionName: "night-1", items: ["main", "second"] },
    );
    const asked = (account: string) => ({ action: "sync", account, runId: "night-1" });
    expect(run.status).toBe("SUCCEEDED");
    expect(run.calls).toEqual([asked("main"), asked("main"), asked("main"), asked("second")]);
  });

  test("continues with the other accounts when one fails, and fails at the end", () => {
    const run = runMachine(
      night("main,second,third,fourth"),
      { action: "sync" },
      (payload) => {
        if (accountOf(payload) === "second") {
          throw failing("TokenRefused");
        }
        return accountOf(payload) === "fourth" ? STALLED : COMPLETE;
      },
      { items: ["main", "second", "third", "fourth"] },
    );
    expect([...new Set(run.calls.map(accountOf))]).toEqual(["main", "second", "third", "fourth"]);
    expect(run).toMatchObject({ status: "FAILED", error: "AccountsNotComplete" });
    expect(run.cause).toMatch(/^2 of 4 accounts complete; not complete, among others: second\./);
  });

  const ACCOUNTS = Array.from({ length: 45 }, (_, index) => `a${index}`);

  /** A night of 45 accounts. `answer` returns the function's answer for the account with the given number. */
  const nightOf45 = (answer: (index: number) => Json, failed: readonly Json[] = []) =>
    runMachine(
      machine("fillbook-nightly", { accounts: ACCOUNTS.join(",") }),
      { action: "sync" },
      (payload) => answer(ACCOUNTS.indexOf(accountOf(payload))),
      { items: ACCOUNTS, failed },
    );

  test("succeeds if at most one account in twenty fails, and names them; it fails with one more", () => {
    const refusing = (count: number) =>
      nightOf45((index) => (index < count ? raise(failing("TokenRefused")) : COMPLETE));
    expect(refusing(0)).toMatchObject({ status: "SUCCEEDED", output: { complete: 45, missing: [] } });
    expect(refusing(2)).toMatchObject({ status: "SUCCEEDED", output: { complete: 43, missing: ["a0", "a1"] } });
    const cause = expect.stringMatching(/^42 of 45 accounts complete/);
    expect(refusing(3)).toMatchObject({ status: "FAILED", cause });
  });

  test.each<[string, Json]>([
    ["is empty", null],
    ["does not say whether it is complete", {}],
    ["does not say when to continue", { complete: false, stalled: false }],
  ])("fails only the child whose function's answer %s, whatever the map reports of it", (_, malformed) => {
    const broken = (count: number) => (index: number) => (index < count ? malformed : COMPLETE);
    for (const given of [[], [{ Error: "States.Runtime", Cause: "…" }], [null]]) {
      expect(nightOf45(broken(2), given)).toMatchObject({ status: "SUCCEEDED", output: { complete: 43, missing: [] } });
      const { status, error, cause } = nightOf45(broken(45), given);
      expect({ status, error }).toEqual({ status: "FAILED", error: "AccountsNotComplete" });
      expect(cause).toMatch(/^0 of 45 accounts complete; /);
    }
  });
});
