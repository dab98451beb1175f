import { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { type Resource, resourcesOf, testApp } from "./synth.ts";

// What can lose data is retained, and what costs money by use has a bound: asked of every resource of every stack.

interface Kind {
  /** What is lost with it; null: nothing that the next deployment does not make again. */
  readonly holds: string | null;
  /** What is paid for it. */
  readonly costs: string;
  /** Where the price grows with use: whether the resource itself bounds it. */
  readonly isBounded?: (properties: Properties) => boolean;
}

type Properties = Resource["Properties"];

const NOTHING = "nothing";
const FIXED = "a fixed price a month";

const KINDS: Readonly<Record<string, Kind>> = {
  "AWS::S3::Bucket": {
    holds: "archives, packs, who read them",
    costs: "storage, by GB and month",
    // What nobody can see or name any more goes by itself; what is seen stays until somebody deletes it.
    isBounded: (properties) => rulesOf(properties).some((rule) => "AbortIncompleteMultipartUpload" in rule),
  },
  "AWS::S3::BucketPolicy": { holds: "what a bucket that stays behind refuses", costs: NOTHING },
  "AWS::KMS::Key": { holds: "all that it encrypts", costs: FIXED },
  "AWS::SecretsManager::Secret": { holds: "a token that a person put in", costs: FIXED },
  "AWS::SecretsManager::ResourcePolicy": { holds: "who may read a secret that stays behind", costs: NOTHING },
  "AWS::Logs::LogGroup": {
    holds: "what the runs did",
    costs: "storage, by GB and month",
    isBounded: (properties) => Number(properties["RetentionInDays"]) >= 365,
  },
  "AWS::Cognito::UserPool": { holds: "users, whom a person has made", costs: "users who sign in, each month" },
  "AWS::Cognito::UserPoolGroup": { holds: "who is of it", costs: NOTHING },
  "AWS::Cognito::UserPoolDomain": { holds: null, costs: NOTHING },
  "AWS::Cognito::UserPoolClient": { holds: null, costs: NOTHING },
  "AWS::Cognito::ManagedLoginBranding": { holds: null, costs: NOTHING },
  "AWS::ApiGatewayV2::Api": { holds: null, costs: "requests" },
  "AWS::ApiGatewayV2::Stage": {
    holds: null,
    costs: NOTHING,
    isBounded: ({ DefaultRouteSettings }) => {
      const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = DefaultRouteSettings as Properties;
      return Number(rate) <= 100 && Number(burst) <= 200; // of requests, a second
    },
  },
  "AWS::ApiGatewayV2::Authorizer": { holds: null, costs: NOTHING },
  "AWS::ApiGatewayV2::Integration": { holds: null, costs: NOTHING },
  "AWS::ApiGatewayV2::Route": { holds: null, costs: NOTHING },
  "AWS::CloudFront::Distribution": { holds: null, costs: "requests" }, // what signing in does not stop; the budget tells
  "AWS::CloudFront::Function": { holds: null, costs: "requests" },
  "AWS::CloudFront::ResponseHeadersPolicy": { holds: null, costs: NOTHING },
  "AWS::IAM::Role": { holds: null, costs: NOTHING },
  "AWS::IAM::Policy": { holds: null, costs: NOTHING },
  "AWS::Lambda::Function": {
    holds: null,
    costs: "time, by GB and second",
    // As many at once as are reserved; or, where the API calls it, for as long as the API waits, and as often as it is let through.
    isBounded: (properties) => {
      const timeout = Number(properties["Timeout"]);
      return (Number(properties["ReservedConcurrentExecutions"]) > 0 && timeout > 0) || (timeout > 0 && timeout < 30);
    },
  },
  "AWS::Lambda::Permission": { holds: null, costs: NOTHING },
  "AWS::Lambda::EventInvokeConfig": { holds: null, costs: NOTHING },
  "AWS::StepFunctions::StateMachine": {
    holds: null,
    costs: "state transitions",
    isBounded: ({ DefinitionString }) => JSON.stringify(DefinitionString).includes("TimeoutSeconds"),
  },
  "AWS::Scheduler::Schedule": {
    holds: null,
    costs: NOTHING,
    isBounded: ({ ScheduleExpression }) => /^cron\(\d+ \d+ \* \* \? \*\)$/.test(String(ScheduleExpression)), // once a day
  },
  "AWS::Scheduler::ScheduleGroup": { holds: null, costs: NOTHING },
  "AWS::SQS::Queue": {
    holds: null, // nights that were not started: the next one walks what they would have
    costs: "requests",
    isBounded: ({ MessageRetentionPeriod }) => Number(MessageRetentionPeriod) <= 14 * 86_400,
  },
  "AWS::SQS::QueuePolicy": { holds: null, costs: NOTHING },
  "AWS::SNS::Topic": { holds: null, costs: "messages" },
  "AWS::SNS::TopicPolicy": { holds: null, costs: NOTHING },
  "AWS::SNS::Subscription": { holds: null, costs: NOTHING },
  "AWS::CloudWatch::Alarm": { holds: null, costs: FIXED },
  "AWS::CloudWatch::Dashboard": { holds: null, costs: FIXED },
  "AWS::Logs::QueryDefinition": { holds: null, costs: NOTHING },
  "AWS::Budgets::Budget": { holds: null, costs: NOTHING },
  "AWS::Glue::Database": { holds: null, costs: NOTHING },
  "AWS::Glue::Table": { holds: null, costs: NOTHING }, // a description; the rows are the archive's
  "AWS::Athena::WorkGroup": {
    holds: null,
    costs: "queries, by TB read",
    isBounded: ({ WorkGroupConfiguration }) => {
      const { BytesScannedCutoffPerQuery: most, EnforceWorkGroupConfiguration: isEnforced } =
        WorkGroupConfiguration as Properties;
      return Number(most) > 0 && isEnforced === true;
    },
  },
  "AWS::Athena::NamedQuery": { holds: null, costs: NOTHING },
};

/** Of a kind that holds something, but what they hold themselves is made again: by the beginning of the logical id, and why. */
const MADE_AGAIN: Readonly<Record<string, string>> = {
  AlarmTopicKey: "encrypts messages on their way, for minutes",
};

const EVERYTHING = {
  packLockDays: "3650",
  encryption: "kms",
  alarmEmail: "operator@example.com",
  accounts: "main,second",
  page: "on",
};
const LEAST = { budgetUsd: "none", queryLimitGb: "none" };

interface Found {
  readonly stack: Stack;
  readonly id: string;
  readonly resource: Resource;
}

const synthesised = new Map<object, readonly Found[]>();

/** Every resource of every stack of the app. */
function allOf(settings: Readonly<Record<string, string>>): readonly Found[] {
  const known = synthesised.get(settings);
  if (known !== undefined) {
    return known;
  }
  const stacks = testApp(settings).app.node.children.filter((child) => Stack.isStack(child));
  const found = stacks.flatMap((stack) =>
    resourcesOf(Template.fromStack(stack)).map(([id, resource]) => ({ stack, id, resource })),
  );
  synthesised.set(settings, found);
  return found;
}

function isMadeAgain({ id, resource }: Found): boolean {
  return KINDS[resource.Type]?.holds === null || Object.keys(MADE_AGAIN).some((name) => id.startsWith(name));
}

function rulesOf(properties: Properties): readonly Readonly<Record<string, unknown>>[] {
  const { Rules = [] } = (properties["LifecycleConfiguration"] ?? {}) as {
    Rules?: Readonly<Record<string, unknown>>[];
  };
  return Rules;
}

const nameOf = ({ stack, id }: Found) => `${stack.stackName} ${id}`;

test("every type of resource is in the table, and every type of the table is in a stack", () => {
  const types = new Set(allOf(EVERYTHING).map(({ resource }) => resource.Type));
  expect([...types].sort()).toEqual(Object.keys(KINDS).sort());
  const more = allOf(LEAST).filter(({ resource }) => !types.has(resource.Type));
  expect(more.map(nameOf)).toEqual([]);
});

describe("what holds what cannot be made again", () => {
  const held = (settings: Readonly<Record<string, string>>) => allOf(settings).filter((found) => !isMadeAgain(found));

  test.each([
    ["everything", EVERYTHING],
    ["the least", LEAST],
  ])("is left behind when it leaves its stack, or is replaced: with %s", (_, settings) => {
    expect(held(settings).length).toBeGreaterThan(4);
    for (const found of held(settings)) {
      const { DeletionPolicy, UpdateReplacePolicy } = found.resource;
      expect([nameOf(found), DeletionPolicy, UpdateReplacePolicy]).toEqual([nameOf(found), "Retain", "Retain"]);
    }
  });

  test("is in a stack that cannot be deleted by one command, but for the logs", () => {
    const elsewhere = held(EVERYTHING).filter(({ stack }) => stack.terminationProtection !== true);
    expect(elsewhere.map(({ stack, resource }) => `${stack.stackName} ${resource.Type}`)).toEqual([
      "FillbookJob AWS::Logs::LogGroup",
      "FillbookPage AWS::Logs::LogGroup",
      "FillbookPage AWS::Logs::LogGroup",
    ]);
  });

  test("keeps former versions for a month at least; nothing that is current expires but old access logs", () => {
    const buckets = allOf(EVERYTHING).filter(({ resource }) => resource.Type === "AWS::S3::Bucket");
    const kept = buckets.map(({ id, resource: { Properties } }) => ({
      id,
      versions: (Properties["VersioningConfiguration"] as Properties | undefined)?.["Status"] ?? "none",
      rules: rulesOf(Properties).map(({ Status: _, AbortIncompleteMultipartUpload: __, ...expiring }) => expiring),
    }));
    expect(kept).toEqual([
      { id: "ArchiveAccessLogs31F4F9D7", versions: "none", rules: [{ ExpirationInDays: 400 }] },
      {
        id: "ArchiveBucket49F1AC64",
        versions: "Enabled",
        rules: [{ NoncurrentVersionExpiration: { NoncurrentDays: 30 }, ExpiredObjectDeleteMarker: true }],
      },
      { id: "PacksBucketD74B7A78", versions: "Enabled", rules: [{}] },
    ]);
  });
});

test("what costs by use is bounded by itself", () => {
  const bounded = allOf(EVERYTHING).filter(({ resource }) => KINDS[resource.Type]?.isBounded !== undefined);
  const types = new Set(bounded.map(({ resource }) => resource.Type));
  expect(types.size).toBe(8);
  const without = bounded.filter(({ resource }) => KINDS[resource.Type]?.isBounded?.(resource.Properties) !== true);
  expect(without.map(nameOf)).toEqual([]);
});
