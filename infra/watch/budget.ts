import { Aws } from "aws-cdk-lib";
import { CfnBudget } from "aws-cdk-lib/aws-budgets";
import { Construct } from "constructs";
import type { Names } from "../names.ts";
import type { AlarmTopic } from "./alarm-topic.ts";

/** On everything that is deployed; its value is the deployment's name. */
export const APPLICATION_TAG = "application";

/**
 * Reports when a month is likely to cost 80 % of the limit, and when it has cost all of it. It counts the
 * resources with the app's tag, once that is active as a cost-allocation tag. It stops nothing. It has no
 * fixed name, because a change of its notifications replaces it.
 */
export function addBudget(
  scope: Construct,
  topic: AlarmTopic,
  { names, limitUsd, email }: { readonly names: Names; readonly limitUsd: number; readonly email: string | null },
): void {
  const here = new Construct(scope, "Budget");
  topic.allowPublish("BudgetPublishes", "budgets.amazonaws.com", `arn:${Aws.PARTITION}:budgets::${Aws.ACCOUNT_ID}:*`);
  const subscribers = [
    { subscriptionType: "SNS", address: topic.topic.topicArn },
    // Reaches the address even if nobody has confirmed the topic's subscription.
    ...(email === null ? [] : [{ subscriptionType: "EMAIL", address: email }]),
  ];
  const tell = (notificationType: "FORECASTED" | "ACTUAL", percent: number) => ({
    notification: {
      notificationType,
      comparisonOperator: "GREATER_THAN",
      threshold: percent,
      thresholdType: "PERCENTAGE",
    },
    subscribers,
  });
  const budget = new CfnBudget(here, "Budget", {
    budget: {
      budgetType: "COST",
      timeUnit: "MONTHLY",
      budgetLimit: { amount: limitUsd, unit: "USD" },
      costFilters: { TagKeyValue: [`user:${APPLICATION_TAG}$${names.deployment}`] },
    },
    notificationsWithSubscribers: [tell("FORECASTED", 80), tell("ACTUAL", 100)],
  });
  budget.node.addDependency(topic); // with its policy: a budget may not send to a topic that does not let it
}
