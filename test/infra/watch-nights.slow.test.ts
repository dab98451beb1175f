import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../lambda/core/time.ts";
import type { SyncResult } from "../../lambda/job/context.ts";
import { type Ending, type MetricName, measureSlice, withFailure } from "../../lambda/job/lambda/metrics.ts";
import { resourcesOf, templates } from "./synth.ts";

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

interface Alarm {
  readonly AlarmName: string;
  readonly MetricName: MetricName;
  readonly Statistic: "Sum" | "Maximum";
  readonly Period: number;
  readonly EvaluationPeriods: number;
  readonly Threshold: number;
}

function alarmsOfOurs(): readonly Alarm[] {
  return resourcesOf(templates().job, "AWS::CloudWatch::Alarm")
    .map(([, { Properties }]) => Properties)
    .filter(({ Namespace }) => Namespace === "fillbook") as unknown as readonly Alarm[];
}

/**
 * The alarms on our own metrics that are raised at any minute. Periods slide: each ends at the moment when
 * CloudWatch evaluates it.
 */
function raised(said: readonly Said[]): readonly string[] {
  const looks = Array.from({ length: (9 * DAY_MS) / MINUTE_MS }, (_, index) => START + index * MINUTE_MS);
  return alarmsOfOurs()
    .filter((alarm) => looks.some((at) => breaches(alarm, said, at)))
    .map(({ AlarmName }) => AlarmName);
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
  const alarm = alarmsOfOurs().find(({ AlarmName }) => AlarmName === "fillbook: Refused token");
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
