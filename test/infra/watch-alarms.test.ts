import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pageTemplates, resourcesOf } from "./synth.ts";
import { watchTemplate } from "./watch-stack.ts";

const RUNBOOK = readFileSync(join(import.meta.dirname, "../../RUNBOOK.md"), "utf8");
const DAY = 86_400;

interface Alarm {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Statistic?: string;
  readonly Dimensions?: readonly { readonly Value: { readonly Ref?: string } }[];
  readonly Metrics?: readonly {
    readonly Expression?: string;
    readonly MetricStat?: { readonly Metric: object; readonly Period: number; readonly Stat: string };
  }[];
  readonly Period?: number;
  readonly EvaluationPeriods: number;
  readonly Threshold: number;
  readonly TreatMissingData: string;
  readonly AlarmActions: readonly unknown[];
  readonly OKActions?: readonly unknown[];
}

function alarms(settings = {}): readonly Alarm[] {
  return resourcesOf(watchTemplate(settings), "AWS::CloudWatch::Alarm").map(
    ([, { Properties }]) => Properties as unknown as Alarm,
  );
}

function named(name: string, settings = {}): Alarm | undefined {
  return alarms(settings).find(({ AlarmName }) => AlarmName === `fillbook: ${name}`);
}

/** The headings that alarms lead to, as the links in their descriptions have them; the page's among them. */
function anchors(): readonly string[] {
  const described = [
    ...alarms(),
    ...resourcesOf(pageTemplates().page, "AWS::CloudWatch::Alarm").map(([, alarm]) => alarm.Properties),
  ];
  return [...new Set(described.map(({ AlarmDescription }) => String(AlarmDescription).split("RUNBOOK.md#")[1] ?? ""))];
}

describe("the alarms", () => {
  test("each lead to a heading of the runbook", () => {
    const headings = [...RUNBOOK.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
    const known = headings.map((heading) => heading.toLowerCase().replaceAll(" ", "-"));
    expect(anchors().filter((anchor) => !known.includes(anchor))).toEqual([]);
  });

  test("all tell the topic; those of a state tell it when that is over, too", () => {
    for (const { AlarmName, AlarmActions, OKActions } of alarms()) {
      expect(AlarmActions, AlarmName).toEqual([{ Ref: "Topic85E630E2" }]);
      const isEvent = /Run failed|Refused token|Function errors/.test(AlarmName);
      expect(OKActions, AlarmName).toEqual(isEvent ? undefined : AlarmActions);
    }
  });

  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
  test("look no further back than CloudWatch can: a day, or seven for periods of an hour or more", () => {
    for (const alarm of alarms()) {
      const periods = [alarm.Period, ...(alarm.Metrics ?? []).map(({ MetricStat }) => MetricStat?.Period)];
      for (const period of periods.filter((one) => one !== undefined)) {
        expect(period * alarm.EvaluationPeriods, alarm.AlarmName).toBeLessThanOrEqual(period < 3600 ? DAY : 7 * DAY);
      }
    }
  });

  test("are as many for every deployment, on 17 metrics: that is what is paid for", () => {
    const metrics = alarms().flatMap(({ Metrics }) => Metrics?.filter(({ MetricStat }) => MetricStat) ?? [{}]);
    expect(metrics).toHaveLength(17);
  });

  test.each([
    ["the nightly run", "NightlyC44EE0A7"],
    ["a run on demand", "One8A44B909"],
  ])("of failure are one for each way in which %s can end badly", (what, machine) => {
    const failures = alarms().filter(({ AlarmName }) => AlarmName.startsWith(`fillbook: Run failed: ${what}`));
    expect(failures.map(({ MetricName }) => MetricName)).toEqual([
      "ExecutionsFailed",
      "ExecutionsTimedOut",
      "ExecutionsAborted",
    ]);
    for (const failure of failures) {
      expect(failure.Dimensions?.map(({ Value }) => Value.Ref)).toEqual([machine]);
      expect(failure).toMatchObject({ Statistic: "Sum", Threshold: 1, TreatMissingData: "notBreaching" });
    }
  });

  test("of silence takes 26 hours without a nightly run that was complete, and no data for one", () => {
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
    const others = alarms().filter(({ TreatMissingData }) => TreatMissingData !== "notBreaching");
    expect(others).toHaveLength(1);
  });

  // When each of them is raised holds watch-nights.test.ts.
  test("of what the function says look at all accounts together", () => {
    const ours = alarms().filter(({ Namespace }) => Namespace === "fillbook");
    expect(ours).toHaveLength(5);
    expect(ours.filter((alarm) => "Dimensions" in alarm)).toEqual([]);
  });

  test("of late fills goes by half of the look-back that the function is given", () => {
    expect(named("Late fills", { lookBackDays: 30 })).toMatchObject({ Threshold: 15 * DAY });
  });

  test("of refusals goes by the share of a day's requests, when there are enough of them", () => {
    expect(named("Service throttles us")).toMatchObject({
      Metrics: [
        { Expression: "IF(requests >= 100, 100 * refused / requests, 0)" },
        { Id: "requests", MetricStat: { Metric: { MetricName: "Requests" }, Period: DAY, Stat: "Sum" } },
        { Id: "refused", MetricStat: { Metric: { MetricName: "Refused" }, Period: DAY, Stat: "Sum" } },
      ],
      Threshold: 20,
    });
  });

  test.each([
    ["Function errors", "AWS/Lambda", "Errors", 1],
    ["Function throttled", "AWS/Lambda", "Throttles", 20],
    ["Nightly run not started", "AWS/SQS", "ApproximateNumberOfMessagesVisible", 1],
  ])("of %s goes by %s %s", (name, namespace, metric, threshold) => {
    expect(named(name)).toMatchObject({ Namespace: namespace, MetricName: metric, Threshold: threshold });
  });
});
