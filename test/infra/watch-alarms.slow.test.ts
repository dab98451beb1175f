import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { brief, resourcesOf, type Statement, statementsOf, templates } from "./synth.ts";

const RUNBOOK = readFileSync(join(import.meta.dirname, "../../RUNBOOK.md"), "utf8");

interface Alarm {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly MetricName?: string;
  readonly Dimensions?: readonly { readonly Value: unknown }[];
  readonly Metrics?: readonly { readonly MetricStat?: object }[];
  readonly Threshold: number;
  readonly TreatMissingData: string;
  readonly AlarmActions: readonly unknown[];
  readonly OKActions?: readonly unknown[];
}

const alarmsIn = (template: Template) =>
  resourcesOf(template, "AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties as unknown as Alarm);

const alarms = alarmsIn(templates().job);
const ofPage = alarmsIn(templates().page);
const named = (name: string, among = alarms) => among.find(({ AlarmName }) => AlarmName === `fillbook: ${name}`);

describe("the alarms", () => {
  test("each lead to a heading of the runbook", () => {
    const headings = [...RUNBOOK.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
    const known = headings.map((heading) => heading.toLowerCase().replaceAll(" ", "-"));
    const anchors = [...alarms, ...ofPage].map(({ AlarmDescription }) => AlarmDescription.split("RUNBOOK.md#")[1]);
    expect(anchors.filter((anchor) => !known.includes(anchor ?? ""))).toEqual([]);
  });

  test("all notify the topic; those of a state also notify it when the state is over", () => {
    expect([...alarms, ...ofPage]).toHaveLength(9);
    for (const { AlarmName, AlarmActions, OKActions } of [...alarms, ...ofPage]) {
      expect(AlarmActions.map(brief), AlarmName).toEqual([expect.stringMatching(/AlarmTopicC2164170/)]);
      const isEvent = /Run failed|Refused token|Function errors|Page errors/.test(AlarmName);
      expect(OKActions, AlarmName).toEqual(isEvent ? undefined : AlarmActions);
    }
  });

  test.each([
    ["Run failed: the nightly run", /NightsMachine/],
    ["Run failed: a run on demand", /OnDemandMachine/],
  ])("of %s watches that machine", (name, machine) => {
    const { MetricName, Dimensions = [] } = named(name) ?? {};
    expect([MetricName, ...Dimensions.map(({ Value }) => brief(Value))]).toEqual([
      "ExecutionsFailed",
      expect.stringMatching(machine),
    ]);
  });

  test("of silence is raised after 26 hours without a complete nightly run, and is the only one that missing data raise", () => {
    expect(named("Not run in 26 hours")).toMatchObject({
      Metrics: [
        { Expression: "FILL(succeeded, 0)" },
        { MetricStat: { Metric: { MetricName: "ExecutionsSucceeded" }, Period: 3600, Stat: "Sum" } },
      ],
      EvaluationPeriods: 26,
      Threshold: 1,
      ComparisonOperator: "LessThanThreshold",
      TreatMissingData: "breaching",
    });
    expect(alarms.filter(({ TreatMissingData }) => TreatMissingData !== "notBreaching")).toHaveLength(1);
  });

  // Otherwise one refused token among a thousand accounts would raise the alarm every night and hide other
  // errors.
  test("of the function's errors excludes refused tokens, which have their own alarm", () => {
    const of = (Id: string, Namespace: string, MetricName: string) =>
      expect.objectContaining({
        Id,
        MetricStat: expect.objectContaining({
          Metric: expect.objectContaining({ Namespace, MetricName }),
          Period: 300,
          Stat: "Sum",
        }),
      });
    expect(named("Function errors")).toMatchObject({
      Metrics: [
        { Expression: "errors - FILL(refused, 0)" },
        of("errors", "AWS/Lambda", "Errors"),
        of("refused", "fillbook", "TokenRefused"),
      ],
      Threshold: 1,
      TreatMissingData: "notBreaching",
    });
  });
});

// That messages come by TLS and that the key rotates is a rule of cdk-nag (app.slow.test.ts).
test("only alarms of this AWS account may send to the topic, and a mail address is notified if there is one", () => {
  const { job } = templates({ alarmEmail: "ops@example.invalid" });
  const OURS = { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } };
  const sent = resourcesOf(job, "AWS::SNS::TopicPolicy")
    .flatMap(([, policy]) => statementsOf(policy))
    .filter(({ Effect }) => Effect === "Allow");
  expect(sent.map(({ Action, Principal, Condition }) => [Action, brief(Principal), Condition])).toEqual([
    ["sns:Publish", "Service(cloudwatch.amazonaws.com)", OURS],
  ]);
  const keys = resourcesOf(job, "AWS::KMS::Key").flatMap(([, { Properties }]) => {
    const { Statement } = Properties["KeyPolicy"] as { readonly Statement: readonly Statement[] };
    return Statement.map(({ Action, Principal, Condition }) => [Action, brief(Principal), Condition]);
  });
  const use = ["kms:Decrypt", "kms:GenerateDataKey"];
  expect(keys).toContainEqual([use, "Service(cloudwatch.amazonaws.com)", OURS]);
  job.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.invalid" });
  templates().job.resourceCountIs("AWS::SNS::Subscription", 0);
});
