import { Aws, RemovalPolicy } from "aws-cdk-lib";
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import { Effect, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { type ITopic, Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";

/**
 * The topic of the alarms, which only this AWS account's alarms send to. It needs a key of our own, because
 * AWS services may not use the key that AWS manages for SNS. `email`: null, and nobody is subscribed.
 */
export function alarmTopic(scope: Construct, email: string | null): Topic {
  const here = new Construct(scope, "AlarmTopic");
  const masterKey = new Key(here, "Key", {
    description: "fillbook: encrypts the alarms in transit",
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const topic = new Topic(here, "Topic", { displayName: "fillbook", masterKey, enforceSSL: true });
  const grant = {
    sid: "AlarmsPublish",
    effect: Effect.ALLOW,
    principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
    conditions: { StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID } },
  };
  masterKey.addToResourcePolicy(
    new PolicyStatement({ ...grant, actions: ["kms:Decrypt", "kms:GenerateDataKey"], resources: ["*"] }),
  );
  topic.addToResourcePolicy(new PolicyStatement({ ...grant, actions: ["sns:Publish"], resources: [topic.topicArn] }));
  if (email !== null) {
    topic.addSubscription(new EmailSubscription(email));
  }
  return topic;
}

/** Something that an alarm watches. */
export interface Watch {
  /** A heading of RUNBOOK.md. */
  readonly title: string;
  /** Tells apart several alarms with the same title. */
  readonly of?: string;
  readonly what: string;
  readonly metric: IMetric;
  /** The alarm is raised when the metric is at least this. Default: 1. */
  readonly threshold?: number;
  /** How many periods in a row. Default: 1. Periods of an hour or more may cover 7 days in total. */
  readonly periods?: number;
  /** True: the alarm is raised when the metric is below the threshold, or has no data. */
  readonly isSilence?: boolean;
  /**
   * True: the alarm reports a single event. Its end means only that no further event followed, not that
   * anything was repaired.
   */
  readonly isEvent?: boolean;
}

/**
 * The alarms of a stack, independent of the number of accounts. RUNBOOK.md has a section for each, whose
 * heading is the alarm's title; several alarms may share a section. CloudWatch bills each metric that an
 * alarm watches, so one account and a thousand cost the same.
 */
export function addAlarms(scope: Construct, topic: ITopic, runbookUrl: string, watches: readonly Watch[]): void {
  const here = new Construct(scope, "Alarms");
  const notify = new SnsAction(topic);
  for (const { title, of, what, metric, threshold = 1, periods = 1, isSilence = false, isEvent = false } of watches) {
    const name = of === undefined ? title : `${title}: ${of}`;
    const alarm = new Alarm(here, name.replaceAll(/[^\w]/g, ""), {
      alarmName: `fillbook: ${name}`,
      alarmDescription: `fillbook: ${what} ${runbookUrl}#${anchorOf(title)}`,
      metric,
      threshold,
      comparisonOperator: isSilence
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: periods,
      // No data means that nothing ran or there was nothing to report. A separate alarm watches for silence.
      treatMissingData: isSilence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(notify);
    if (!isEvent) {
      alarm.addOkAction(notify);
    }
  }
}

/** The anchor that Markdown renderers make of a heading. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replaceAll(" ", "-");
}
