import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Decimal } from "decimal.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { readOptions } from "../../infra/deploy/arguments.ts";
import type { Template } from "../../infra/deploy/assembly.ts";
import { deployedSettings } from "../../infra/deploy/context.ts";
import { deployedBy } from "../../infra/deploy/deployed.ts";
import { dollars } from "../../infra/deploy/summary.ts";
import { METRICS } from "../../lambda/job/lambda/metrics.ts";

describe("options", () => {
  test("are off by default", () => {
    expect(readOptions([])).toEqual({
      help: false,
      dryRun: false,
      yes: false,
      removeData: [],
      context: [],
      app: null,
      fillsAMonth: 2000,
    });
  });

  test.each([
    [["-c", "zone"], /-c zone: write -c NAME=VALUE/],
    [["--fills", "many"], /--fills many: a whole number is needed/],
    [["--force"], /Unknown option '--force'/],
    [["now"], /Unexpected argument 'now'/],
  ])("%s are refused", (argv, message) => {
    expect(() => readOptions(argv)).toThrow(message);
  });
});

describe("settings", () => {
  function folder(files: Readonly<Record<string, unknown>>): string {
    const dir = mkdtempSync(join(tmpdir(), "fillbook-deploy-test-"));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(dir, name), JSON.stringify(content));
    }
    return dir;
  }

  test("come from fillbook.json if the context has none, before the environment", () => {
    const root = folder({
      "cdk.json": { context: { prefix: "from-cdk-json" } },
      "fillbook.json": { store: "./books", deploy: { prefix: "never", accounts: ["a", "b"], scheduleHour: 6 } },
    });
    expect(deployedSettings(root, ["scheduleHour=5"], { FILLBOOK_ACCOUNTS: "c" })).toMatchObject({
      prefix: "from-cdk-json",
      accounts: ["a", "b"],
      scheduleHour: 5,
    });
    expect(() => deployedSettings(folder({ "fillbook.json": ["x"] }), [], {})).toThrow(/must be a JSON object/);
  });

  test("of fillbook.json are in its section deploy; the rest belongs to the command line, and the addresses are shared", () => {
    const url = "https://account.example.com";
    const shared = folder({
      "fillbook.json": { accountUrl: url, concurrency: 9, maxRps: 3, deploy: { accounts: "a" } },
    });
    expect(deployedSettings(shared, [], {})).toMatchObject({ accountUrl: `${url}`, accounts: ["a"], maxRps: null });
    const own = folder({ "fillbook.json": { accountUrl: url, deploy: { accountUrl: "https://other.example.com" } } });
    expect(deployedSettings(own, [], {})).toMatchObject({ accountUrl: "https://other.example.com" });
    for (const [file, message] of [
      [{ accounts: ["a"] }, /"accounts" at its top level: move it into "deploy"/],
      [{ deploy: ["a"] }, /"deploy" must be an object/],
      [{ deploy: { store: "x" } }, /"store", which is not a setting/],
    ] as const) {
      expect(() => deployedSettings(folder({ "fillbook.json": file }), [], {})).toThrow(message);
    }
  });

  test("come from -c, then cdk.json, then cdk.context.json, then the environment", () => {
    const root = folder({
      "cdk.json": { context: { accounts: ["a", "b"], prefix: "from-cdk-json" } },
      "cdk.context.json": { accounts: "never", scheduleHour: 7 },
    });
    const env = { FILLBOOK_SCHEDULE_HOUR: "8", FILLBOOK_PREFIX: "never", FILLBOOK_ALARM_EMAIL: "a@example.com" };
    expect(deployedSettings(root, ["prefix=given", "tokenSecrets=a=x=y"], env)).toMatchObject({
      accounts: ["a", "b"],
      prefix: "given",
      tokenSecrets: new Map([["a", "x=y"]]),
      scheduleHour: 7,
      alarmEmail: "a@example.com",
    });
  });

  test("that are wrong are named in the message", () => {
    expect(() => deployedSettings(folder({ "cdk.json": {} }), ["zone=Mars"], {})).toThrow(/zone is "Mars"/);
  });
});

test("the number of fixed resources is counted in the templates", () => {
  const alarm = (Metrics?: readonly unknown[]) => ({
    Type: "AWS::CloudWatch::Alarm",
    Properties: { ...(Metrics && { Metrics }) },
  });
  const templates = new Map<string, Template>([
    [
      "A",
      { Resources: { K: { Type: "AWS::KMS::Key" }, D: { Type: "AWS::CloudWatch::Dashboard" }, S: { Type: "other" } } },
    ],
    [
      "B",
      { Resources: { One: alarm(), Sum: alarm([{ MetricStat: {} }, { MetricStat: {} }, { Expression: "a + b" }]) } },
    ],
    ["C", {}],
  ]);
  const withPage = new Map([...templates, ["D", { Resources: { A: { Type: "AWS::ApiGatewayV2::Api" } } }]]);
  expect(deployedBy(withPage, { accounts: ["a"], logRetentionDays: 365 }).hasPage).toBe(true);
  expect(deployedBy(templates, { accounts: ["a", "b"], logRetentionDays: 365 })).toEqual({
    accounts: 2,
    logRetentionDays: 365,
    keys: 1,
    dashboards: 1,
    hasPage: false,
    alarmMetrics: 3,
    customMetrics: Object.keys(METRICS).length,
  });
});

test.each([
  ["0", "0.00"],
  ["0.000001", "0.01"],
  ["0.41", "0.41"],
  ["0.4101", "0.42"],
  ["1234567.005", "1,234,567.01"],
])("%s dollars are printed as %s, never as less", (usd, printed) => {
  expect(dollars(new Decimal(usd))).toBe(printed);
});
