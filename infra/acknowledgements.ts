import { Validations } from "aws-cdk-lib";
import type { IConstruct } from "constructs";

/**
 * The cdk-nag findings that are accepted, and why. Each is acknowledged at its construct; a test compares the
 * list with what the stacks acknowledge.
 */
const REASONS = {
  "AwsSolutions-S1": "This bucket receives the access logs. Logging access to it would log its own log entries.",
  "AwsSolutions-SMG4":
    "The trading service has no call that issues or rotates a token. A person rotates it (RUNBOOK, 'The token'); a refused token raises an alarm.",
  "AwsSolutions-SF1":
    "A Standard machine keeps the history of every execution for 90 days, and each slice logs to the function's group. Delivery to CloudWatch Logs would need eight logs actions on every resource.",
  "AwsSolutions-SF2": "One function, called in a loop: a trace would show what the execution history already shows.",
  "AwsSolutions-IAM5":
    "The names of objects and executions, and the ends of secrets' ARNs, are not known beforehand. Each wildcard follows one account's prefix or the name of one secret or state machine.",
  "AwsSolutions-COG8":
    "The Plus plan rates the risk of each sign-in and costs more for each user. There are few users, a person creates each, and all sign in with a second factor.",
  "AwsSolutions-APIG4":
    "Signing in and out, the style sheet and the script must work without a token, and they show nothing of an account. Every other request passes the authorizer of the route $default.",
  "AwsSolutions-CFR1": "Accountants travel: access depends on the sign-in, not on the country.",
  "AwsSolutions-CFR2":
    "A firewall would cost more a month than the rest of the page. Without a token only signing in is possible, the API is throttled, and the function checks its input.",
  "AwsSolutions-CFR3":
    "The API logs each request with its user. CloudFront's log would add requests that the API never receives, with query strings, and the query strings of sign-ins contain codes.",
  "AwsSolutions-CFR4":
    "CloudFront's own name uses CloudFront's certificate, which allows no choice of the minimum TLS version. With a domain of its own, the page requires TLS 1.2.",
} as const;

export type AcknowledgedRule = keyof typeof REASONS;

/** `finding`: the one finding of the rule that is accepted, as cdk-nag prints it between brackets. */
export function acknowledge(construct: IConstruct, rule: AcknowledgedRule, finding?: string): void {
  Validations.of(construct).acknowledge({
    id: `AwsSolutions::${rule}${finding === undefined ? "" : `[${finding}]`}`,
    reason: REASONS[rule],
  });
}
