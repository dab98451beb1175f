import { Aws, RemovalPolicy } from "aws-cdk-lib";
import { Effect, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";

/** Where the alarms go. The key is our own because CloudWatch may not use the one that AWS manages for SNS. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, email: string | null) {
    super(scope, id);
    const key = new Key(this, "Key", {
      description: "fillbook: encrypts the alarms on their way",
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const alarms = new ServicePrincipal("cloudwatch.amazonaws.com");
    const ours = { StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID } };
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: "AlarmsPublish",
        effect: Effect.ALLOW,
        principals: [alarms],
        actions: ["kms:Decrypt", "kms:GenerateDataKey"],
        resources: ["*"],
        conditions: ours,
      }),
    );
    this.topic = new Topic(this, "Topic", { displayName: "fillbook", masterKey: key, enforceSSL: true });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        sid: "AlarmsPublish",
        effect: Effect.ALLOW,
        principals: [alarms],
        actions: ["sns:Publish"],
        resources: [this.topic.topicArn],
        conditions: ours,
      }),
    );
    if (email !== null) {
      this.topic.addSubscription(new EmailSubscription(email));
    }
  }
}
