import { Aws, RemovalPolicy } from "aws-cdk-lib";
import { Effect, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
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
