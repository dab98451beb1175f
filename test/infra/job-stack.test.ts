import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { brief, pairs, resourcesOf, statementsOf, templates } from "./synth.ts";

describe("the function", () => {
  test("runs Node 24 on ARM with one processor, one at a time, and is not run again by Lambda", () => {
    const { job } = templates();
    job.hasResourceProperties("AWS::Lambda::Function", {
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      MemorySize: 1769,
      Timeout: 900,
      ReservedConcurrentExecutions: 1,
      Handler: "index.handler",
      LoggingConfig: { LogFormat: "JSON", LogGroup: { Ref: "JobLogBF0312D3" } },
      TracingConfig: Match.absent(),
      VpcConfig: Match.absent(),
    });
    job.hasResourceProperties("AWS::Lambda::EventInvokeConfig", { MaximumRetryAttempts: 0 });
    job.resourceCountIs("AWS::Lambda::Function", 1);
  });

  test("is told where things are, and no secret", () => {
    const { job } = templates({ accountUrl: "https://a.example", marketDataUrl: "https://m.example", prefix: "books" });
    const [variables = {}] = resourcesOf(job, "AWS::Lambda::Function").map(
      ([, { Properties }]) => (Properties["Environment"] as { Variables: Readonly<Record<string, unknown>> }).Variables,
    );
    expect(Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, brief(value)]))).toEqual({
      FILLBOOK_ACCOUNT: "main",
      FILLBOOK_STORE: "s3://Import(FillbookData:ExportsOutputRefArchiveBucket49F1AC64975B769B)/books",
      FILLBOOK_ACCOUNT_URL: "https://a.example",
      FILLBOOK_MARKET_DATA_URL: "https://m.example",
      FILLBOOK_TOKEN_SECRET: "Import(FillbookData:ExportsOutputRefTokenmain6369C5C1B7B515E8)",
      FILLBOOK_LOOK_BACK_DAYS: "7",
      NODE_OPTIONS: "--enable-source-maps",
    });
  });

  test("is told a limit of requests and a look-back where they are set", () => {
    templates({ maxRps: "0.5", lookBackDays: "30" }).job.hasResourceProperties("AWS::Lambda::Function", {
      Environment: { Variables: { FILLBOOK_MAX_RPS: "0.5", FILLBOOK_LOOK_BACK_DAYS: "30" } },
    });
  });

  test("reserves no concurrency where the account's quota is too small", () => {
    templates({ reservedConcurrency: "none" }).job.hasResourceProperties("AWS::Lambda::Function", {
      ReservedConcurrentExecutions: Match.absent(),
    });
  });

  test("logs to a group of its own, kept longer than a tax year and beyond the stack", () => {
    templates().job.hasResource("AWS::Logs::LogGroup", {
      DeletionPolicy: "Retain",
      Properties: { RetentionInDays: 400 },
    });
  });
});

describe("the schedule", () => {
  test("starts the machine nightly, in the zone of the settings, with few tries and a dead-letter queue", () => {
    const { job } = templates({ zone: "Europe/London", scheduleHour: "5" });
    job.hasResourceProperties("AWS::Scheduler::Schedule", {
      ScheduleExpression: "cron(10 5 * * ? *)",
      ScheduleExpressionTimezone: "Europe/London",
      FlexibleTimeWindow: { Mode: "OFF" },
      State: "ENABLED",
      GroupName: "fillbook-main",
      Target: {
        Arn: { Ref: "LoopMachine8DE96952" },
        Input: '{"action":"sync"}',
        RetryPolicy: { MaximumEventAgeInSeconds: 7200, MaximumRetryAttempts: 5 },
        DeadLetterConfig: { Arn: { "Fn::GetAtt": ["NightlyDeadLetters8C4076B0", "Arn"] } },
      },
    });
  });

  test("has a queue that is encrypted and takes TLS only", () => {
    const { job } = templates();
    job.hasResourceProperties("AWS::SQS::Queue", { SqsManagedSseEnabled: true, MessageRetentionPeriod: 1_209_600 });
    job.hasResourceProperties("AWS::SQS::QueuePolicy", {
      PolicyDocument: {
        Statement: [{ Effect: "Deny", Action: "sqs:*", Condition: { Bool: { "aws:SecureTransport": "false" } } }],
      },
    });
  });
});

describe("the alarms", () => {
  const RUNBOOK = readFileSync(join(import.meta.dirname, "../../RUNBOOK.md"), "utf8");
  const HEADINGS = [...RUNBOOK.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  const alarms = () => resourcesOf(templates().job, "AWS::CloudWatch::Alarm");
  const described = (text: string) => {
    const found = alarms().find(([, { Properties }]) => String(Properties["AlarmDescription"]).includes(`#${text}`));
    return found?.[1].Properties;
  };

  test("are these", () => {
    const anchors = alarms().map(
      ([, { Properties }]) => String(Properties["AlarmDescription"]).split("RUNBOOK.md#")[1],
    );
    expect(anchors.sort()).toEqual([
      "coverage-behind",
      "coverage-gap",
      "function-errors",
      "function-throttled",
      "late-fills",
      "nightly-run-not-started",
      "not-run-in-26-hours",
      "run-failed",
    ]);
  });

  test("each have a section in the runbook that says what it means, how to look and what to do", () => {
    const anchorsOfHeadings = HEADINGS.map((heading) => heading.toLowerCase().replaceAll(" ", "-"));
    for (const [, { Properties }] of alarms()) {
      const anchor = String(Properties["AlarmDescription"]).split("RUNBOOK.md#")[1] ?? "";
      const heading = HEADINGS[anchorsOfHeadings.indexOf(anchor)];
      expect(heading, `no section for ${anchor}`).toBeDefined();
      const section = RUNBOOK.split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
      for (const part of ["**Means.**", "**Look.**", "**Do.**"]) {
        expect(section, `${anchor} lacks ${part}`).toContain(part);
      }
    }
  });

  test("all go to the topic, and say when they are over", () => {
    for (const [, { Properties }] of alarms()) {
      expect(Properties["AlarmActions"]).toEqual([{ Ref: "AlarmTopicC2164170" }]);
      expect(Properties["OKActions"]).toEqual([{ Ref: "AlarmTopicC2164170" }]);
    }
  });

  test("of silence takes 26 hours without a completed run, and no data for one", () => {
    expect(described("not-run-in-26-hours")).toMatchObject({
      Namespace: "fillbook",
      MetricName: "Completed",
      Dimensions: [{ Name: "Account", Value: "main" }],
      Statistic: "Maximum",
      Period: 3600,
      EvaluationPeriods: 26,
      Threshold: 1,
      ComparisonOperator: "LessThanThreshold",
      TreatMissingData: "breaching",
    });
  });

  test("of failure counts executions that failed, timed out or were stopped", () => {
    const metrics = described("run-failed")?.["Metrics"] as readonly Record<string, unknown>[];
    expect(metrics.map((metric) => metric["Expression"] ?? nameOf(metric)).sort()).toEqual([
      "ExecutionsAborted",
      "ExecutionsFailed",
      "ExecutionsTimedOut",
      "failed + timedOut + aborted",
    ]);
  });

  test.each([
    ["coverage-gap", "Gaps", 1],
    ["coverage-behind", "CoverageLagSeconds", 172_800],
  ])("of %s looks at the least of a day of %s", (anchor, metric, threshold) => {
    expect(described(anchor)).toMatchObject({
      Namespace: "fillbook",
      MetricName: metric,
      Statistic: "Minimum",
      Period: 86_400,
      Threshold: threshold,
      ComparisonOperator: "GreaterThanOrEqualToThreshold",
      TreatMissingData: "notBreaching",
    });
  });

  test("of late fills goes by half of the look-back that the function is given", () => {
    expect(described("late-fills")).toMatchObject({
      Namespace: "fillbook",
      MetricName: "LatenessSeconds",
      Statistic: "Maximum",
      Threshold: 302_400,
      ComparisonOperator: "GreaterThanOrEqualToThreshold",
      TreatMissingData: "notBreaching",
    });
    templates({ lookBackDays: "30" }).job.hasResourceProperties("AWS::CloudWatch::Alarm", {
      MetricName: "LatenessSeconds",
      Threshold: 1_296_000,
    });
  });

  test("travel encrypted with a key that CloudWatch may use, by TLS only, to the e-mail that was given", () => {
    const { job } = templates({ alarmEmail: "ops@example.invalid" });
    job.hasResourceProperties("AWS::SNS::Topic", {
      KmsMasterKeyId: { "Fn::GetAtt": ["AlarmTopicKeyBA1A4AA7", "Arn"] },
    });
    job.hasResourceProperties("AWS::KMS::Key", { EnableKeyRotation: true });
    job.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.invalid" });
    const [[, policy] = []] = resourcesOf(job, "AWS::SNS::TopicPolicy");
    const statements = policy === undefined ? [] : statementsOf(policy);
    expect(
      statements.map((statement) => [statement.Effect, brief(statement.Principal), ...pairs([statement])]),
    ).toEqual([
      ["Deny", "*", "sns:Publish on Ref(AlarmTopicC2164170)"],
      ["Allow", "Service(cloudwatch.amazonaws.com)", "sns:Publish on Ref(AlarmTopicC2164170)"],
    ]);
    templates().job.resourceCountIs("AWS::SNS::Subscription", 0);
  });
});

function nameOf(metric: Readonly<Record<string, unknown>>): string {
  const { Metric } = metric["MetricStat"] as { Metric: { MetricName: string } };
  return Metric.MetricName;
}
