import { expect, test } from "vitest";
import { brief, pageTemplates, resourcesOf } from "./synth.ts";

const alarms = resourcesOf(
  pageTemplates({ runbookUrl: "https://books.example.com/RUNBOOK.md" }).page,
  "AWS::CloudWatch::Alarm",
).map(([, { Properties }]) => Properties);

test("tell when the page's function throws, and when anybody is answered that something went wrong", () => {
  const seen = alarms.map(({ AlarmName, Namespace, MetricName, Dimensions }) => [
    AlarmName,
    `${Namespace} ${MetricName}`,
    (Dimensions as readonly { Name: string; Value: unknown }[]).map(({ Name, Value }) => `${Name} ${brief(Value)}`),
  ]);
  expect(seen).toEqual([
    ["fillbook: Page errors: the function", "AWS/Lambda Errors", ["FunctionName Ref(ServerFunctionB9E3FD9F)"]],
    ["fillbook: Page errors: the answers", "AWS/ApiGateway 5xx", ["ApiId Ref(PageApi2AD80B79)"]],
  ]);
  for (const alarm of alarms) {
    expect(alarm).toMatchObject({
      Statistic: "Sum",
      Period: 300,
      EvaluationPeriods: 1,
      Threshold: 1,
      ComparisonOperator: "GreaterThanOrEqualToThreshold",
      TreatMissingData: "notBreaching",
    });
  }
});

test("tell where all alarms tell it, once, and lead to the runbook", () => {
  for (const { AlarmActions, AlarmDescription, ...others } of alarms) {
    expect((AlarmActions as readonly unknown[]).map(brief)).toEqual([
      "Import(FillbookJob:ExportsOutputRefAlarmTopicC21641705B2C2930)",
    ]);
    expect(AlarmDescription).toMatch(/ https:\/\/books\.example\.com\/RUNBOOK\.md#page-errors$/);
    expect(others).not.toHaveProperty("OKActions");
  }
});
