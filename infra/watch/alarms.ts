import { Alarm, ComparisonOperator, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import { Construct } from "constructs";
import type { Watch } from "./watch.ts";

export interface AlarmsProps {
  readonly topic: ITopic;
  readonly runbookUrl: string;
  readonly watches: readonly Watch[];
}

/**
 * The alarms of a stack, whatever the number of its accounts. Each has its section in RUNBOOK.md, whose heading is its title; several may
 * share one. CloudWatch bills each metric that an alarm looks at, so they cost the same for one account and for a thousand.
 */
export class Alarms extends Construct {
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { topic, runbookUrl, watches }: AlarmsProps) {
    super(scope, id);
    const notify = new SnsAction(topic);
    this.alarms = watches.map((watch) => {
      const name = watch.of === undefined ? watch.title : `${watch.title}: ${watch.of}`;
      const alarm = new Alarm(this, name.replaceAll(/[^\w]/g, ""), {
        alarmName: `fillbook: ${name}`, // what the subject of the mail says
        alarmDescription: `fillbook: ${watch.what} ${runbookUrl}#${anchorOf(watch.title)}`,
        metric: watch.metric,
        threshold: watch.threshold,
        comparisonOperator:
          watch.below === true
            ? ComparisonOperator.LESS_THAN_THRESHOLD
            : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        evaluationPeriods: watch.periods ?? 1,
        // No data: nothing ran, or there was nothing to report. One alarm watches for silence, so that the others need not.
        treatMissingData: watch.silenceIsBad === true ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(notify);
      if (watch.isEvent !== true) {
        alarm.addOkAction(notify);
      }
      return alarm;
    });
  }
}

/** The anchor that Markdown renderers make of a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}
