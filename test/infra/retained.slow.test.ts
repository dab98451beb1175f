import type { Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { type Resource, resourcesOf, stacksOf, testApp } from "./synth.ts";

// For every resource of every stack: resources that hold data are retained, and a price that grows with use
// is limited.

type Properties = Resource["Properties"];

/** What is lost when a resource of the type is deleted. */
const HOLDS: Readonly<Record<string, string>> = {
  "AWS::S3::Bucket": "archives, packs, who read them",
  "AWS::S3::BucketPolicy": "what a bucket that stays behind refuses",
  "AWS::KMS::Key": "all that it encrypts",
  "AWS::SecretsManager::Secret": "a token that a person put in",
  "AWS::SecretsManager::ResourcePolicy": "who may read a secret that stays behind",
  "AWS::Logs::LogGroup": "what the runs did",
  "AWS::Cognito::UserPool": "users, whom a person has made",
  "AWS::Cognito::UserPoolGroup": "who is of it",
};

/** Types that the next deployment creates again. */
const MADE_AGAIN_BY_TYPE = [
  ...["UserPoolDomain", "UserPoolClient", "ManagedLoginBranding"].map((name) => `AWS::Cognito::${name}`),
  ...["Api", "Stage", "Authorizer", "Integration", "Route"].map((name) => `AWS::ApiGatewayV2::${name}`),
  ...["Distribution", "Function", "ResponseHeadersPolicy"].map((name) => `AWS::CloudFront::${name}`),
  ...["AWS::IAM::Role", "AWS::IAM::Policy", "AWS::StepFunctions::StateMachine"],
  ...["Function", "Permission", "EventInvokeConfig"].map((name) => `AWS::Lambda::${name}`),
  ...["Schedule", "ScheduleGroup"].map((name) => `AWS::Scheduler::${name}`),
  ...["Topic", "TopicPolicy", "Subscription"].map((name) => `AWS::SNS::${name}`),
  "AWS::CloudWatch::Alarm",
];

/** Types whose price grows with use, and whether a resource limits it itself. */
const BOUNDS: Readonly<Record<string, (properties: Properties) => boolean>> = {
  // Unfinished uploads, which nobody can see, are deleted automatically. Visible objects stay until somebody
  // deletes them.
  "AWS::S3::Bucket": (properties) => rulesOf(properties).some((rule) => "AbortIncompleteMultipartUpload" in rule),
  "AWS::Logs::LogGroup": ({ RetentionInDays }) => Number(RetentionInDays) >= 365,
  "AWS::ApiGatewayV2::Stage": ({ DefaultRouteSettings }) => {
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = DefaultRouteSettings as Properties;
    return Number(rate) <= 100 && Number(burst) <= 200; // requests per second
  },
  // Limited by its reserved concurrency. The page's function is limited by the API's throttling and by the
  // time that the API waits.
  "AWS::Lambda::Function": ({ Timeout, ReservedConcurrentExecutions }) => {
    const seconds = Number(Timeout);
    return seconds > 0 && (Number(ReservedConcurrentExecutions) > 0 || seconds < 30);
  },
  "AWS::StepFunctions::StateMachine": ({ DefinitionString }) =>
    JSON.stringify(DefinitionString).includes("TimeoutSeconds"),
  // once a day
  "AWS::Scheduler::Schedule": ({ ScheduleExpression }) =>
    /^cron\(\d+ \d+ \* \* \? \*\)$/.test(String(ScheduleExpression)),
};

interface Found {
  readonly stack: Stack;
  readonly id: string;
  readonly resource: Resource;
}

/** Every resource of every stack of the app. */
function allOf(settings: Readonly<Record<string, string>>): readonly Found[] {
  return stacksOf(testApp(settings).app).flatMap((stack) =>
    resourcesOf(Template.fromStack(stack)).map(([id, resource]) => ({ stack, id, resource })),
  );
}

const MOST = allOf({
  packLockDays: "3650",
  encryption: "kms",
  alarmEmail: "operator@example.com",
  accounts: "main,second",
  page: "on",
});
const LEAST = allOf({});

/** The alarms' own key encrypts messages on their way, for minutes. */
function isMadeAgain({ id, resource }: Found): boolean {
  return !(resource.Type in HOLDS) || id.startsWith("AlarmTopicKey");
}

function rulesOf(properties: Properties): readonly Properties[] {
  const { Rules = [] } = (properties["LifecycleConfiguration"] ?? {}) as { Rules?: readonly Properties[] };
  return Rules;
}

const nameOf = ({ stack, id }: Found) => `${stack.stackName} ${id}`;

test("every type of resource is in the table, and every type of the table is in a stack", () => {
  const types = new Set(MOST.map(({ resource }) => resource.Type));
  expect([...types].sort()).toEqual([...Object.keys(HOLDS), ...MADE_AGAIN_BY_TYPE].sort());
  const more = LEAST.filter(({ resource }) => !types.has(resource.Type));
  expect(more.map(nameOf)).toEqual([]);
});

describe("a resource whose data cannot be made again", () => {
  const held = (all: readonly Found[]) => all.filter((found) => !isMadeAgain(found));

  test.each([
    ["everything", MOST],
    ["the least", LEAST],
  ])("is kept when it leaves its stack or is replaced: with %s", (_, all) => {
    expect(held(all).length).toBeGreaterThan(4);
    for (const found of held(all)) {
      const { DeletionPolicy, UpdateReplacePolicy } = found.resource;
      expect([nameOf(found), DeletionPolicy, UpdateReplacePolicy]).toEqual([nameOf(found), "Retain", "Retain"]);
    }
  });

  test("is in a stack that one command cannot delete, except for logs", () => {
    const elsewhere = held(MOST).filter(({ stack }) => stack.terminationProtection !== true);
    expect(elsewhere.map(({ stack, resource }) => `${stack.stackName} ${resource.Type}`)).toEqual([
      "FillbookJob AWS::Logs::LogGroup",
      "FillbookPage AWS::Logs::LogGroup",
      "FillbookPage AWS::Logs::LogGroup",
    ]);
  });

  test("keeps former versions for at least a month; of current objects, only old access logs expire", () => {
    const buckets = MOST.filter(({ resource }) => resource.Type === "AWS::S3::Bucket");
    const kept = buckets.map(({ id, resource: { Properties } }) => ({
      id,
      versions: (Properties["VersioningConfiguration"] as Properties | undefined)?.["Status"] ?? "none",
      rules: rulesOf(Properties).map(({ Status: _, AbortIncompleteMultipartUpload: __, ...expiring }) => expiring),
    }));
    const former = { NoncurrentVersionExpiration: { NoncurrentDays: 30 }, ExpiredObjectDeleteMarker: true };
    expect(kept).toEqual([
      { id: "ArchiveAccessLogs31F4F9D7", versions: "none", rules: [{ ExpirationInDays: 400 }] },
      { id: "ArchiveBucket49F1AC64", versions: "Enabled", rules: [former] },
      { id: "PacksBucketD74B7A78", versions: "Enabled", rules: [{}] },
    ]);
  });
});

test("every resource whose price grows with use is limited", () => {
  const types = new Set(MOST.map(({ resource }) => resource.Type));
  expect(Object.keys(BOUNDS).filter((type) => !types.has(type))).toEqual([]);
  const without = MOST.filter(({ resource }) => BOUNDS[resource.Type]?.(resource.Properties) === false);
  expect(without.map(nameOf)).toEqual([]);
});
