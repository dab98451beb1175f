import { describe, expect, test } from "vitest";
import { QUERIES } from "../../infra/watch/queries.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { METRICS } from "../../lambda/job/lambda/metrics.ts";
import { makeHistory } from "../emulator/history.ts";
import { type LogLine, openSlices } from "../support/slices.ts";
import { brief, resourcesOf, templates } from "./synth.ts";

const TO = Date.UTC(2026, 0, 1);

/**
 * The handler's real log lines: a run of two slices, a run that finds late fills, and a run whose token is
 * refused.
 */
async function realLines(): Promise<readonly LogLine[]> {
  const history = makeHistory({ seed: 5, fills: 2000, from: TO - 30 * DAY_MS, to: TO });
  const { service, run, setNow } = await openSlices(
    { history, switches: { lateRows: { share: 0.3, maxDelayMs: 6 * DAY_MS } } },
    TO,
  );
  const lines = [
    ...(await run({ runId: "a", requestId: "1", requests: 5 })),
    ...(await run({ runId: "a", requestId: "2" })),
  ];
  setNow(TO + 2 * DAY_MS);
  lines.push(...(await run({ runId: "b", requestId: "3" })));
  service.emulator.setTokens([]);
  setNow(TO + 4 * DAY_MS);
  return [...lines, ...(await run({ runId: "c", requestId: "4" }))];
}

const WORDS = new Set(
  "fields filter stats sort limit as by asc desc in and or not like bin sum max min count latest".split(" "),
);

/** Names in a query that neither the language nor the query itself defines. */
function fieldsOf(query: string): readonly string[] {
  const text = query.replaceAll(/"[^"]*"/g, "");
  const given = new Set([...text.matchAll(/\bas (\w+)/g)].map(([, name]) => name));
  const names = [...text.matchAll(/@?[a-zA-Z]\w*/g)].map(([name]) => name);
  return names.filter((name) => !(WORDS.has(name) || given.has(name)));
}

test("the log has every field of the saved queries, every metric, and one line per slice", async () => {
  const lines = await realLines();
  const written = new Set(lines.flatMap((line) => Object.keys(line)));
  for (const { title, lines: commands } of QUERIES) {
    const asked = fieldsOf(commands.join(" "));
    expect(asked.length, title).toBeGreaterThan(3);
    // Except the platform's own field:
    // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/CWL_AnalyzeLogData-discoverable-fields.html
    expect(
      asked.filter((name) => !written.has(name) && name !== "@timestamp"),
      title,
    ).toEqual([]);
  }
  expect(Object.keys(METRICS).filter((name) => !written.has(name))).toEqual([]);
  const measured = lines.filter(({ message }) => message === "slice measured");
  expect(measured.map(({ ending }) => ending)).toEqual(["time-up", "complete", "complete", "failed"]);
});

interface Widget {
  readonly type: string;
  readonly properties: {
    readonly alarms?: readonly string[];
    readonly query?: string;
    /** each entry: namespace, name, dimensions, options */
    readonly metrics?: readonly (readonly unknown[])[];
  };
}

function widgets(): readonly Widget[] {
  const [body = ""] = resourcesOf(templates().job, "AWS::CloudWatch::Dashboard").map(([, { Properties }]) =>
    brief(Properties["DashboardBody"]),
  );
  return JSON.parse(body.replaceAll("[object Object]", "x")).widgets;
}

describe("the dashboard", () => {
  test("shows every metric that the function writes, by the right statistic, and no other of our metrics", () => {
    const shown = widgets()
      .flatMap(({ properties }) => properties.metrics ?? [])
      .filter(([namespace]) => namespace === "fillbook")
      .map(([, name, options]) => [name, (options as { readonly stat: string }).stat]);
    expect(shown.toSorted()).toEqual(
      Object.entries(METRICS)
        .map(([name, { statistic }]) => [name, statistic])
        .toSorted(),
    );
  });

  test("shows every alarm, and what each account did last", () => {
    const alarms = widgets().flatMap(({ properties }) => properties.alarms ?? []);
    expect(alarms).toHaveLength(resourcesOf(templates().job, "AWS::CloudWatch::Alarm").length);
    const queries = widgets().flatMap(({ properties }) => properties.query ?? []);
    expect(queries.map((query) => query.split(" | ")[0])).toEqual([
      "SOURCE 'Ref(JobLogBF0312D3)'",
      "SOURCE 'Ref(JobLogBF0312D3)'",
    ]);
  });
});
