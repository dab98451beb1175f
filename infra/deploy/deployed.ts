import { METRICS } from "../../lambda/job/lambda/metrics.ts";
import type { StackSettings } from "../settings.ts";
import { type Resource, resourcesOf, type Templates } from "./assembly.ts";
import type { Deployed } from "./cost.ts";

/** Counts the resources of the templates that cost something while they merely exist. */
export function deployedBy(
  templates: Templates,
  { accounts, logRetentionDays }: Pick<StackSettings, "accounts" | "logRetentionDays">,
): Deployed {
  const all = (type: string): readonly Resource[] =>
    [...templates.values()].flatMap((template) => resourcesOf(template, type).map(([, resource]) => resource));
  return {
    accounts: accounts.length,
    logRetentionDays,
    keys: all("AWS::KMS::Key").length,
    alarmMetrics: all("AWS::CloudWatch::Alarm").reduce((sum, alarm) => sum + metricsOf(alarm), 0),
    customMetrics: Object.keys(METRICS).length + all("AWS::Logs::MetricFilter").length,
    dashboards: all("AWS::CloudWatch::Dashboard").length,
    hasPage: all("AWS::ApiGatewayV2::Api").length > 0,
  };
}

/** The number of metrics of an alarm: one, or those that its expression uses. */
function metricsOf({ Properties = {} }: Resource): number {
  const { Metrics } = Properties;
  return Array.isArray(Metrics) ? Metrics.filter((metric) => "MetricStat" in metric).length : 1;
}
