import { expect, test } from "vitest";
import { brief, resourcesOf, type Statement, statementsOf, templates } from "./synth.ts";

const { job } = templates({ alarmEmail: "ops@example.invalid" });

const sent = (statements: readonly Statement[]) =>
  statements.map(({ Action, Principal, Condition }) => [Action, brief(Principal), Condition]);

test("only alarms of this AWS account may send to the topic, by TLS, and it has a rotating key of its own", () => {
  const CLOUDWATCH = "Service(cloudwatch.amazonaws.com)";
  const OURS = { StringEquals: { "aws:SourceAccount": { Ref: "AWS::AccountId" } } };
  const [tls, ...others] = resourcesOf(job, "AWS::SNS::TopicPolicy").flatMap(([, policy]) => statementsOf(policy));
  expect(tls).toMatchObject({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } });
  expect(sent(others)).toEqual([["sns:Publish", CLOUDWATCH, OURS]]);
  const [[, topic] = []] = resourcesOf(job, "AWS::SNS::Topic");
  const keys = resourcesOf(job, "AWS::KMS::Key");
  expect(keys.map(([id]) => `Arn(${id})`)).toEqual([brief(topic?.Properties["KmsMasterKeyId"])]);
  const [{ EnableKeyRotation, KeyPolicy } = {}] = keys.map(([, { Properties }]) => Properties);
  expect(EnableKeyRotation).toBe(true);
  const { Statement } = KeyPolicy as { readonly Statement: readonly Statement[] };
  expect(sent(Statement)).toContainEqual([["kms:Decrypt", "kms:GenerateDataKey"], CLOUDWATCH, OURS]);
});

test("the given mail address is notified, if any", () => {
  job.hasResourceProperties("AWS::SNS::Subscription", { Protocol: "email", Endpoint: "ops@example.invalid" });
  templates().job.resourceCountIs("AWS::SNS::Subscription", 0);
});
