import { Effect, PolicyStatement } from "aws-cdk-lib/aws-iam";

/** A statement of a role's policy. */
export function allow(
  sid: string,
  actions: string[],
  resources: string[],
  conditions: Record<string, unknown> = {},
): PolicyStatement {
  return new PolicyStatement({ sid, effect: Effect.ALLOW, actions, resources, conditions });
}
