import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/**
 * The cdk-nag findings that are accepted, and why. Each is acknowledged at its construct; a test compares the
 * list with what the stacks acknowledge.
 */
const REASONS = {
  "AwsSolutions-S1": "This is the bucket that the access logs go to: logging its own access would log the logging.",
  "AwsSolutions-SMG4":
    "The trading service has no call that issues or rotates a token. RUNBOOK, 'The token', is the manual rotation; a refused token raises an alarm.",
  "AwsSolutions-SQS3": "This is the dead-letter queue itself. Its alarm makes a person empty it.",
  "AwsSolutions-SF1":
    "A Standard machine keeps the history of every execution for 90 days, and each slice logs to the function's group. Delivery to CloudWatch Logs would need eight logs actions on every resource.",
  "AwsSolutions-SF2": "One function, called in a loop: a trace would show what the execution history already shows.",
  "AwsSolutions-IAM5":
    "Objects, executions, tasks and the ends of secrets' ARNs have names that nobody knows beforehand: each wildcard is what stands after one account's prefix, one secret's name, one state machine's, one cluster's or one task definition's.",
  "AwsSolutions-VPC7":
    "Nothing stays in this network: a task that runs for some hours calls the service and AWS, and logs what it does. Records of its connections would cost more than the task.",
  "AwsSolutions-ECS2":
    "The variables are the function's own: addresses, names of roles and buckets, limits. The token is in Secrets Manager, and the event has none.",
  "AwsSolutions-ECS4":
    "A task says in its log what it does and how it ended, and its execution fails with it: Container Insights would be paid for each metric of a task that runs a few times a year.",
  "AwsSolutions-COG8":
    "The Plus plan judges sign-ins by their risk and costs more for each user. Users are few, made by a person, and all sign in with a second factor.",
  "AwsSolutions-APIG4":
    "The way in and out, and the look of the page, are for everybody: whoever signs in has no token yet, and none of them shows anything of an account. All else is behind the authorizer of the route $default.",
  "AwsSolutions-CFR1": "Accountants travel: who may see what is decided by signing in, not by country.",
  "AwsSolutions-CFR2":
    "A firewall costs more a month than all the rest of the page. Nothing but the way in is reached without a token, the API is throttled, and the function checks what it is given.",
  "AwsSolutions-CFR3":
    "The API logs each request with its user. CloudFront's own log would add what is answered before it, with query strings, and those of signing in hold codes.",
  "AwsSolutions-CFR4":
    "At CloudFront's own name its own certificate counts, with which no least version of TLS can be chosen. With a domain of the user's own it is 1.2.",
} as const;

export type AcknowledgedRule = keyof typeof REASONS;

/** `finding`: the one finding of the rule that is accepted, as cdk-nag prints it between brackets. */
export function acknowledge(construct: IConstruct, rule: AcknowledgedRule, finding?: string): void {
  Validations.of(construct).acknowledge({
    id: `AwsSolutions::${rule}${finding === undefined ? "" : `[${finding}]`}`,
    reason: REASONS[rule],
  });
}
