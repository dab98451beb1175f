import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Template } from "aws-cdk-lib/assertions";
import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../lambda/core/time.ts";
import type { SyncResult } from "../../lambda/job/context.ts";
import { type Ending, type MetricName, measureSlice, withFailure } from "../../lambda/job/lambda/metrics.ts";
import { brief, resourcesOf, type Statement, statementsOf, templates } from "./synth.ts";

const RUNBOOK = readFileSync(join(import.meta.dirname, "../../RUNBOOK.md"), "utf8");

interface Alarm {
  readonly AlarmName: string;
  readonly AlarmDescription: string;
  readonly Namespace?: string;
  readonly MetricName: MetricName;
  readonly Statistic: "Sum" | "Maximum";
  readonly Period: number;
  readonly EvaluationPeriods: number;
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
  const FROM_OURS = { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } };
  const sent = resourcesOf(job, "AWS::SNS::TopicPolicy")
    .flatMap(([, policy]) => statementsOf(policy))
    .filter(({ Effect }) => Effect === "Allow");
  expect(sent.map(({ Action, Principal, Condition }) => [Action, brief(Principal), Condition])).toEqual([
    ["sns:Publish", "Service(cloudwatch.amazonaws.com)", FROM_OURS],
  ]);
  const keys = resourcesOf(job, "AWS::KMS::Key").flatMap(([, { Properties }]) => {
    const { Statement } = Properties["KeyPolicy"] as { readonly Statement: readonly Statement[] };
    return Statement.map(({ Action, Principal, Condition }) => [Action, brief(Principal), Condition]);
  });
  const use = ["kms:Decrypt", "kms:GenerateDataKey"];
  expect(keys).toContainEqual([use, "Service(cloudwatch.amazonaws.com)", FROM_OURS]);
  job.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.invalid" });
  templates().job.resourceCountIs("AWS::SNS::Subscription", 0);
});

// The deployed alarms, applied to the function's metrics of nights with several accounts.

const START = Date.UTC(2026, 0, 1);
const NIGHT = START + 4 * HOUR_MS;
const LAG_MS = 5 * MINUTE_MS;

interface Said {
  readonly at: number;
  readonly metrics: Readonly<Partial<Record<MetricName, number>>>;
}

interface SliceOf {
  readonly at: number;
  readonly ending: Ending;
  readonly holes?: number;
  readonly endsAt?: number;
  readonly restated?: number;
}

function slice({ at, ending, holes = 0, endsAt = at - LAG_MS, restated = 0 }: SliceOf): Said {
  const twice = { readings: 2, silentIn: null } as const;
  const coverage = Array.from({ length: holes + 1 }, (_, at) => ({ from: at * 10, to: at * 10 + 5, ...twice }));
  const ended = coverage.with(-1, { from: holes * 10, to: endsAt, ...twice });
  const result = { fills: 1, added: 0, restated, coverage: ended } as unknown as SyncResult;
  const counts = { requests: 1, refused: 0 };
  const figures = { action: "sync", whole: true, ending, reason: null, tookMs: 0, counts, result };
  const measured = measureSlice(figures, at);
  const named = Object.assign(new Error("no"), { name: "TokenRefused" });
  return { at, metrics: ending === "failed" ? withFailure(measured, named).metrics : measured.metrics };
}

const night = (n: number, afterMs = 0) => NIGHT + n * DAY_MS + afterMs;
const nights = (count: number, make: (n: number) => Said | Said[]) =>
  Array.from({ length: count }, (_, n) => make(n)).flat();
const healthy = nights(8, (n) => slice({ at: night(n), ending: "complete" }));

/** Two hours of slices, five minutes apart, each of which stalls. */
function stopped(n: number, of: Omit<SliceOf, "at" | "ending">): Said[] {
  return Array.from({ length: 24 }, (_, turn) =>
    slice({ at: night(n, turn * 5 * MINUTE_MS), ending: "stalled", ...of }),
  );
}

const BEHIND = { holes: 3, endsAt: START - 900 * DAY_MS };
const firstWalk = nights(7, (n) =>
  slice({ at: night(n, HOUR_MS), ending: n % 2 === 0 ? "time-up" : "wait", ...BEHIND }),
);
const weekOfRefusals = nights(7, (n) => slice({ at: night(n), ending: "failed", holes: 1, endsAt: START }));

const OURS = alarms.filter(({ Namespace }) => Namespace === "fillbook");

/**
 * The alarms on our own metrics that are raised at any minute. Periods slide: each ends at the moment when
 * CloudWatch evaluates it.
 */
function raised(said: readonly Said[]): readonly string[] {
  const looks = Array.from({ length: (9 * DAY_MS) / MINUTE_MS }, (_, index) => START + index * MINUTE_MS);
  return OURS.filter((alarm) => looks.some((at) => breaches(alarm, said, at))).map(({ AlarmName }) => AlarmName);
}

function breaches(alarm: Alarm, said: readonly Said[], at: number): boolean {
  const periodMs = alarm.Period * SECOND_MS;
  return Array.from({ length: alarm.EvaluationPeriods }, (_, index) => at - index * periodMs).every((to) => {
    const values = said
      .filter((one) => one.at >= to - periodMs && one.at < to)
      .flatMap(({ metrics }) => metrics[alarm.MetricName] ?? []);
    const value = alarm.Statistic === "Sum" ? values.reduce((a, b) => a + b, 0) : Math.max(...values);
    return values.length > 0 && value >= alarm.Threshold;
  });
}

test("the alarm of a refused token ends within a minute, so that another refusal raises it again", () => {
  const at = night(3);
  const both = [slice({ at, ending: "failed" }), slice({ at: at + 2 * MINUTE_MS, ending: "failed" })];
  const alarm = OURS.find(({ AlarmName }) => AlarmName === "fillbook: Refused token");
  const states = [1, 2, 3].map((minute) => alarm !== undefined && breaches(alarm, both, at + minute * MINUTE_MS));
  expect(states).toEqual([true, false, true]);
});

test.each<[string, readonly Said[], readonly string[]]>([
  ["nothing is wrong", healthy, []],
  ["a first walk of several days has gaps and is behind, and continues by itself", firstWalk, []],
  ["the service was down for two hours in one night", stopped(2, { holes: 1 }), []],
  ["a gap stays for two nights", [...stopped(2, { holes: 1 }), ...stopped(3, { holes: 1 })], ["Coverage gap"]],
  ["one account's coverage ended three days ago", stopped(4, { endsAt: night(1) }), ["Coverage behind"]],
  ["one token is refused", [slice({ at: night(3), ending: "failed" })], ["Refused token"]],
  ["one token is refused for a week, and its coverage ended long ago", weekOfRefusals, ["Refused token"]],
  [
    "one token is refused for a week, and then another account falls behind",
    [...weekOfRefusals, ...stopped(5, { endsAt: night(2) })],
    ["Refused token", "Coverage behind"],
  ],
  ["one fill changed", [slice({ at: night(3), ending: "complete", restated: 1 })], ["Restatements"]],
])("beside healthy accounts, when %s", (_, said, names) => {
  expect(raised([...healthy, ...healthy, ...said])).toEqual(names.map((name) => `fillbook: ${name}`));
});
