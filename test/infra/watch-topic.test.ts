import { Match } from "aws-cdk-lib/assertions";
import { expect, test } from "vitest";
import { brief, resourcesOf, type Statement, statementsOf, templates } from "./synth.ts";

const OURS = { "aws:SourceAccount": { Ref: "AWS::AccountId" } };

function statements(type: string, settings = {}): readonly Statement[] {
  return resourcesOf(templates(settings).job, type).flatMap(([, resource]) => {
    const { KeyPolicy } = resource.Properties as { readonly KeyPolicy?: { readonly Statement: readonly Statement[] } };
    return KeyPolicy?.Statement ?? statementsOf(resource);
  });
}

test("only alarms and the budget of this AWS account may send to the topic, and only by TLS", () => {
  const [tls, alarms, budget, ...others] = statements("AWS::SNS::TopicPolicy");
  expect(tls).toMatchObject({ Effect: "Deny", Condition: { Bool: { "aws:SecureTransport": "false" } } });
  expect(alarms).toMatchObject({
    Action: "sns:Publish",
    Principal: { Service: "cloudwatch.amazonaws.com" },
    Condition: { StringEquals: OURS },
  });
  expect(budget).toMatchObject({
    Action: "sns:Publish",
    Principal: { Service: "budgets.amazonaws.com" },
    Condition: { StringEquals: OURS },
  });
  // https://docs.aws.amazon.com/cost-management/latest/userguide/budgets-sns-policy.html
  const like = (budget?.Condition as { readonly ArnLike?: Readonly<Record<string, unknown>> } | undefined)?.ArnLike;
  expect(brief(like?.["aws:SourceArn"])).toBe("arn:Ref(AWS::Partition):budgets::Ref(AWS::AccountId):*");
  expect(others).toEqual([]);
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

test("senders may also use the key, and without a budget in the settings no budget may send", () => {
  const users = (settings = {}) =>
    statements("AWS::KMS::Key", settings)
      .filter(({ Principal }) => brief(Principal).startsWith("Service"))
      .map(({ Principal, Action }) => [brief(Principal), Action]);
  const alarms = ["Service(cloudwatch.amazonaws.com)", ["kms:Decrypt", "kms:GenerateDataKey"]];
  expect(users()).toEqual([alarms, ["Service(budgets.amazonaws.com)", ["kms:Decrypt", "kms:GenerateDataKey"]]]);
  expect(users({ budgetUsd: "none" })).toEqual([alarms]);
});

test("the budget counts tagged resources, and notifies at 80 % forecast and at 100 % spent", () => {
  const template = templates({ budgetUsd: "35", alarmEmail: "ops@example.invalid" }).job;
  const subscribers = [
    { SubscriptionType: "SNS", Address: { Ref: "AlarmTopicC2164170" } },
    { SubscriptionType: "EMAIL", Address: "ops@example.invalid" },
  ];
  const told = (type: string, percent: number) => ({
    Notification: {
      NotificationType: type,
      ComparisonOperator: "GREATER_THAN",
      Threshold: percent,
      ThresholdType: "PERCENTAGE",
    },
    Subscribers: subscribers,
  });
  template.hasResource("AWS::Budgets::Budget", {
    Properties: {
      Budget: {
        BudgetType: "COST",
        TimeUnit: "MONTHLY",
        BudgetLimit: { Amount: 35, Unit: "USD" },
        CostFilters: { TagKeyValue: ["user:application$fillbook"] },
      },
      NotificationsWithSubscribers: [told("FORECASTED", 80), told("ACTUAL", 100)],
    },
    DependsOn: Match.arrayWith(["AlarmTopicPolicyDD12BE57"]), // without this policy the budget may not send
  });
  // A change of its notifications replaces the budget, and a fixed name would prevent that.
  const [[, budget] = []] = resourcesOf(template, "AWS::Budgets::Budget");
  expect(budget?.Properties["Budget"]).not.toHaveProperty("BudgetName");
});
