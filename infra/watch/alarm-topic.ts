import { Aws, RemovalPolicy } from "aws-cdk-lib";
import { Effect, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import { Construct } from "constructs";
import { allow } from "../roles.ts";
import type { StackSettings } from "../settings.ts";

/**
 * The topic of the alarms. It needs a key of our own, because AWS services may not use the key that AWS
 * manages for SNS.
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;
  readonly #key: Key;

  constructor(scope: Construct, { names, alarmEmail: email }: Pick<StackSettings, "names" | "alarmEmail">) {
    super(scope, "AlarmTopic");
    this.#key = new Key(this, "Key", {
      description: "fillbook: encrypts the alarms in transit",
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.topic = new Topic(this, "Topic", { displayName: names.alarmSender, masterKey: this.#key, enforceSSL: true });
    this.allowPublish("AlarmsPublish", "cloudwatch.amazonaws.com");
    if (email !== null) {
      this.topic.addSubscription(new EmailSubscription(email));
    }
  }

  /** The permissions of a role that sends to the topic itself. */
  get publishing(): readonly PolicyStatement[] {
    return [
      allow("Tell", ["sns:Publish"], [this.topic.topicArn]),
      allow("TellByKey", ["kms:Decrypt", "kms:GenerateDataKey"], [this.#key.keyArn]),
    ];
  }

  /**
   * Allows a service to send to the topic on behalf of this AWS account only. `sourceArn`: the resource that
   * it sends for; absent: any.
   */
  allowPublish(sid: string, service: string, sourceArn?: string): void {
    const grant = {
      sid,
      effect: Effect.ALLOW,
      principals: [new ServicePrincipal(service)],
      conditions: {
        StringEquals: { "aws:SourceAccount": Aws.ACCOUNT_ID },
        ...(sourceArn === undefined ? {} : { ArnLike: { "aws:SourceArn": sourceArn } }),
      },
    };
    this.#key.addToResourcePolicy(
      new PolicyStatement({ ...grant, actions: ["kms:Decrypt", "kms:GenerateDataKey"], resources: ["*"] }),
    );
    this.topic.addToResourcePolicy(
      new PolicyStatement({ ...grant, actions: ["sns:Publish"], resources: [this.topic.topicArn] }),
    );
  }
}
