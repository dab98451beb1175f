import { Annotations, Match, Template } from "aws-cdk-lib/assertions";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { describe, expect, test } from "vitest";
import { environmentIn } from "./policy.ts";
import { brief, OWN_NAME, resourcesOf, stacksOf, templates, testApp } from "./synth.ts";

const EVERYTHING = { page: "on", encryption: "kms", packLockDays: "30" };
/** The properties that name a resource for all of an AWS account or region, besides `Name`. */
const NAMED = ["UserPoolName", "Domain", "RoleName", "StateMachineName"];

describe("the app", () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ["no settings", {}],
    ["the page", { page: "on" }],
    ["the page at its own domain, a key, and a bucket for packs", { ...OWN_NAME, ...EVERYTHING }],
  ])("synthesises with %s, no AWS account and no finding of cdk-nag", (_, settings) => {
    const { app } = testApp(settings);
    expect(() => app.synth()).not.toThrow();
  });

  test("is checked: an unacknowledged finding stops the synthesis", () => {
    const { app, data } = testApp();
    new Queue(data, "Loose");
    expect(() => app.synth()).toThrow(/AwsSolutions-SQS4/);
  });

  test("keeps its names: CloudFormation replaces what is renamed, and people and policies look for them", () => {
    const { app } = testApp({ ...EVERYTHING, accounts: "main,second" });
    const names = stacksOf(app).flatMap((stack) =>
      resourcesOf(Template.fromStack(stack)).flatMap(([, { Type, Properties }]) =>
        Type === "AWS::CloudWatch::Alarm"
          ? []
          : ["Name", ...NAMED].flatMap((key) => (key in Properties ? [`${Type} ${brief(Properties[key])}`] : [])),
      ),
    );
    const stacks = ["Data", "Tokens-0", "Tokens-1", "Job", "Users", "Page"].map((name) => `Fillbook${name}`);
    expect(stacksOf(app).map(({ stackName }) => stackName)).toEqual(stacks);
    expect(names.sort()).toEqual([
      "AWS::ApiGatewayV2::Api fillbook-page",
      "AWS::ApiGatewayV2::Authorizer Users",
      "AWS::CloudFront::Function Ref(AWS::Region)FillbookPageFrontViewerRequest5B191006",
      "AWS::Cognito::UserPool fillbook",
      "AWS::Cognito::UserPoolDomain fillbook-Ref(AWS::AccountId)",
      "AWS::IAM::Role fillbook-account-Ref(AWS::Region)",
      "AWS::IAM::Role fillbook-page-Ref(AWS::Region)",
      "AWS::Scheduler::ScheduleGroup fillbook",
      "AWS::SecretsManager::Secret fillbook/main",
      "AWS::SecretsManager::Secret fillbook/second",
      "AWS::StepFunctions::StateMachine fillbook",
      "AWS::StepFunctions::StateMachine fillbook-nightly",
    ]);
  });

  test("warns that an address of the service is not set", () => {
    const { job } = testApp({ marketDataUrl: "https://market-data.example.invalid" });
    const warnings = Annotations.fromStack(job).findWarning("*", Match.stringLikeRegexp("is only a placeholder"));
    expect(warnings.map(({ entry }) => String(entry.data))).toEqual([
      expect.stringMatching(/^the setting marketDataUrl is not set: /),
    ]);
  });

  test("gives every role the permissions boundary of the settings, and every taggable resource their tags", () => {
    const { app } = testApp({ ...EVERYTHING, permissionsBoundary: "limits/books", tags: "team=books" });
    const resources = stacksOf(app).flatMap((stack) => resourcesOf(Template.fromStack(stack)));
    const roles = resources.filter(([, { Type }]) => Type === "AWS::IAM::Role");
    expect(roles.length).toBeGreaterThan(6);
    for (const [id, { Properties }] of roles) {
      const boundary = "arn:Ref(AWS::Partition):iam::Ref(AWS::AccountId):policy/limits/books";
      expect([id, brief(Properties["PermissionsBoundary"])]).toEqual([id, boundary]);
    }
    const buckets = resources.filter(([, { Type }]) => Type === "AWS::S3::Bucket");
    for (const [, { Properties }] of buckets) {
      expect(Properties["Tags"]).toContainEqual({ Key: "team", Value: "books" });
    }
  });

  test("starts the run of all accounts nightly, in the settings' time zone, with few retries; the function gets their limits", () => {
    const settings = { zone: "Europe/London", scheduleHour: "5", maxRps: "0.5", lookBackDays: "30" };
    const { job } = templates(settings);
    job.hasResourceProperties("AWS::Scheduler::Schedule", {
      ScheduleExpression: "cron(10 5 * * ? *)",
      ScheduleExpressionTimezone: "Europe/London",
      FlexibleTimeWindow: { Mode: "OFF" },
      State: "ENABLED",
      Target: {
        Arn: { Ref: "NightsMachineEBB06EB1" },
        Input: '{"action":"sync"}',
        RetryPolicy: { MaximumEventAgeInSeconds: 7200, MaximumRetryAttempts: 5 },
      },
    });
    expect(environmentIn(job, [])).toMatchObject({ FILLBOOK_MAX_RPS: "0.5", FILLBOOK_LOOK_BACK_DAYS: "30" });
  });

  test("has room for a thousand accounts: no stack has more than the 500 resources that CloudFormation takes", () => {
    const accounts = Array.from({ length: 1000 }, (_, index) => `trader-${index}`).join();
    const { app } = testApp({ accounts });
    const counts = stacksOf(app).map((stack) => resourcesOf(Template.fromStack(stack)).length);
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(2000); // each has a secret and its policy
    expect(Math.max(...counts)).toBeLessThan(250);
  });
});

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

function secretsOf(settings: Readonly<Record<string, string>> = {}) {
  return templates(settings).tokens.flatMap((template) => resourcesOf(template, "AWS::SecretsManager::Secret"));
}

describe("the tokens", () => {
  test("are not in the template: the secret is empty and has its account's name", () => {
    expect(secretsOf({ accounts: "main,second" }).map(([, { Properties }]) => Properties)).toEqual(
      ["main", "second"].map((account) => ({
        Name: `fillbook/${account}`,
        Description: expect.stringContaining(account),
      })),
    );
  });

  test("never move to another stack when accounts come and go", () => {
    const stackOf = (accounts: string) =>
      Object.fromEntries(
        testApp({ accounts }).tokens.flatMap((stack) =>
          stack.node.children
            .filter(({ node }) => node.id.startsWith("Token-"))
            .map(({ node }) => [node.id, stack.stackName]),
        ),
      );
    const before = stackOf("a,b,c,d,e,f,g,h");
    expect(Object.keys(before)).toHaveLength(8);
    expect(stackOf("new,h,f,d,b")).toMatchObject(
      Object.fromEntries(Object.entries(before).filter(([id]) => /[bdfh]$/.test(id))),
    );
  });

  test("of accounts with an existing secret stay in that secret", () => {
    expect(secretsOf({ accounts: "main,second", tokenSecrets: "main=Tokenmain-a1b2c3" }).map(([id]) => id)).toEqual([
      expect.stringMatching(/^Tokensecond/),
    ]);
  });
});
