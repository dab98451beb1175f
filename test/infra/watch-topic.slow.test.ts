import { expect, test } from "vitest";
import { brief, resourcesOf, type Statement, statementsOf, templates } from "./synth.ts";

const OURS = { "aws:SourceAccount": { Ref: "AWS::AccountId" } };

function statements(type: string): readonly Statement[] {
  return resourcesOf(templates().job, type).flatMap(([, resource]) => {
    const { KeyPolicy } = resource.Properties as { readonly KeyPolicy?: { readonly Statement: readonly Statement[] } };
    return KeyPolicy?.Statement ?? statementsOf(resource);
  });
}

test("only alarms of this AWS account may send to the topic, and only by TLS", () => {
  const [tls, alarms, ...others] = statements("AWS::SNS::TopicPolicy");
  expect(tls).toMatchObject({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } });
  expect(alarms).toMatchObject({
    Action: "sns:Publish",
    Principal: { Service: "cloudwatch.amazonaws.com" },
    Condition: { StringEquals: OURS },
  });
  expect(others).toEqual([]);
  const users = statements("AWS::KMS::Key").filter(({ Principal }) => brief(Principal).startsWith("Service"));
  expect(users).toMatchObject([
    {
      Action: ["kms:Decrypt", "kms:GenerateDataKey"],
      Principal: { Service: "cloudwatch.amazonaws.com" },
      Condition: { StringEquals: OURS },
    },
  ]);
});

test("the topic is encrypted with its own rotating key, and notifies the given mail address, if any", () => {
  const { job } = templates({ alarmEmail: "ops@example.invalid" });
  const [[, topic] = [], ...others] = resourcesOf(job, "AWS::SNS::Topic");
  expect(others).toEqual([]);
  const id = brief(topic?.Properties["KmsMasterKeyId"]).replace(/^Arn\((.*)\)$/, "$1");
  expect(Object.fromEntries(resourcesOf(job, "AWS::KMS::Key"))[id]?.Properties).toMatchObject({
    EnableKeyRotation: true,
  });
  job.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.invalid" });
  templates().job.resourceCountIs("AWS::SNS::Subscription", 0);
});
