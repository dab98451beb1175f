import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/** The findings of cdk-nag that are accepted, and why. Each is acknowledged where it stands; a test holds the list. */
const REASONS = {
  "AwsSolutions-S1": "This is the bucket that the access logs go to: logging its own access would log the logging.",
  "AwsSolutions-SMG4":
    "The trading service has no call that issues or rotates a token. RUNBOOK, 'The token', is the manual rotation; a refused token raises an alarm.",
  "AwsSolutions-SQS3": "This is the dead-letter queue itself. Its alarm makes a person empty it.",
  "AwsSolutions-SF1":
    "A Standard machine keeps the history of every execution for 90 days, and each slice logs to the function's group. Delivery to CloudWatch Logs would need eight logs actions on every resource.",
  "AwsSolutions-SF2": "One function, called in a loop: a trace would show what the execution history already shows.",
  "AwsSolutions-IAM5":
    "Objects, executions and the ends of secrets' ARNs have names that nobody knows beforehand: each wildcard is what stands after one account's prefix, one secret's name, or one state machine's.",
} as const;

export type AcknowledgedRule = keyof typeof REASONS;

/** `finding`: the one finding of the rule that is meant, as cdk-nag prints it between brackets. */
export function acknowledge(construct: IConstruct, rule: AcknowledgedRule, finding?: string): void {
  Validations.of(construct).acknowledge({
    id: `AwsSolutions::${rule}${finding === undefined ? "" : `[${finding}]`}`,
    reason: REASONS[rule],
  });
}
