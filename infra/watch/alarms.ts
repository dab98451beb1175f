import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Construct } from "constructs";
import type { StackSettings } from "../settings.ts";
import type { AlarmTopic } from "./alarm-topic.ts";

/** Something that an alarm looks at. */
export interface Watch {
  /** A heading of RUNBOOK.md. */
  readonly title: string;
  /** Which of several with the same title. */
  readonly of?: string;
  readonly what: string;
  readonly metric: IMetric;
  /** Alarms when the metric is at least this; 1. */
  readonly threshold?: number;
  /** How many periods in a row; 1. Periods of an hour or more may be 7 days in all. */
  readonly periods?: number;
  /** Alarms when the metric is less than the threshold, or there is none. */
  readonly isSilence?: boolean;
  /** Something that happened once: its end is when nothing else happened, which does not mean that anything is mended. */
  readonly isEvent?: boolean;
}

/**
 * The alarms of a stack, whatever the number of its accounts. Each has its section in RUNBOOK.md, whose heading is its title; several may
 * share one. CloudWatch bills each metric that an alarm looks at, so they cost the same for one account and for a thousand.
 */
export function addAlarms(
  scope: Construct,
  { topic }: AlarmTopic,
  { names, runbookUrl }: Pick<StackSettings, "names" | "runbookUrl">,
  watches: readonly Watch[],
): readonly Alarm[] {
  const here = new Construct(scope, "Alarms");
  const notify = new SnsAction(topic);
  return watches.map(({ title, of, what, metric, threshold = 1, periods = 1, isSilence = false, isEvent = false }) => {
    const name = of === undefined ? title : `${title}: ${of}`;
    const alarm = new Alarm(here, name.replaceAll(/[^\w]/g, ""), {
      alarmName: names.alarm(name),
      alarmDescription: `fillbook: ${what} ${runbookUrl}#${anchorOf(title)}`,
      metric,
      threshold,
      comparisonOperator: isSilence
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      // No data: nothing ran, or there was nothing to report. One alarm watches for silence, so that the others need not.
      treatMissingData: isSilence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(notify);
    if (!isEvent) {
      alarm.addOkAction(notify);
    }
    return alarm;
  });
}

/** The anchor that Markdown renderers make of a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}
