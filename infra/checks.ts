import { Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks, type IApplyRule } from "cdk-nag";
import type { IConstruct } from "constructs";

/**
 * cdk-nag's rules but IAM5, which wants a reason for each wildcard: tests hold every role to exactly what was
 * recorded that it needs, for its own account.
 */
export class Checks extends AwsSolutionsChecks {
  protected override applyRule(params: IApplyRule): void {
    if (params.ruleSuffixOverride !== "IAM5") {
      super.applyRule(params);
    }
  }
}

/** The findings that are accepted, and why. */
const REASONS = {
  S1: "This bucket receives the access logs. Logging access to it would log its own log entries.",
  SMG4: "The trading service has no call that issues or rotates a token. A person rotates it (RUNBOOK, 'The token'); a refused token raises an alarm.",
  SF1: "A Standard machine keeps the history of every execution for 90 days, and each slice logs to the function's group. Delivery to CloudWatch Logs would need eight logs actions on every resource.",
  SF2: "One function, called in a loop: a trace would show what the execution history already shows.",
  COG8: "The Plus plan rates the risk of each sign-in and costs more for each user. There are few users, a person creates each, and all sign in with a second factor.",
  APIG4:
    "Signing in and out, the style sheet and the script must work without a token, and they show nothing of an account. Every other request passes the authorizer of the route $default.",
  CFR1: "Accountants travel: access depends on the sign-in, not on the country.",
  CFR2: "A firewall would cost more a month than the rest of the page. Without a token only signing in is possible, the API is throttled, and the function checks its input.",
  CFR3: "The API logs each request with its user. CloudFront's log would add requests that the API never receives, with query strings, and the query strings of sign-ins contain codes.",
  CFR4: "CloudFront's own name uses CloudFront's certificate, which allows no choice of the minimum TLS version. With a domain of its own, the page requires TLS 1.2.",
} as const;

/** Accepts these findings of a construct and of all within it. */
export function accept(construct: IConstruct, ...rules: readonly (keyof typeof REASONS)[]): void {
  for (const rule of rules) {
    Validations.of(construct).acknowledge({ id: `AwsSolutions::AwsSolutions-${rule}`, reason: REASONS[rule] });
  }
}
