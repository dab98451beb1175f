import { CfnResource } from "aws-cdk-lib";
import { CfnAlarm } from "aws-cdk-lib/aws-cloudwatch";
import type { IConstruct } from "constructs";

/** A kind of resource that MiniStack's CloudFormation refuses, so that a template with it cannot be deployed there. */
export interface Unknown {
  /** CloudFormation's name. */
  readonly type: string;
  /** What is then only asserted on the template, and where. */
  readonly assertedBy: string;
  /** Absent: all of the type. */
  readonly isMeant?: (resource: CfnResource) => boolean;
  /** What it says when it is given one such resource. */
  readonly refusal: RegExp;
}

const UNRECOGNISED = /Unrecognized resource types/;

/**
 * Taken out before the deployment on the emulator, and nowhere else. A test asserts that each of them is still refused and still in the templates, so that the
 * list cannot grow old.
 */
export const UNKNOWN: readonly Unknown[] = [
  {
    type: "AWS::SecretsManager::ResourcePolicy",
    assertedBy: "test/infra: who may read a token",
    refusal: UNRECOGNISED,
  },
  { type: "AWS::Budgets::Budget", assertedBy: "test/infra: the budget", refusal: UNRECOGNISED },
  { type: "AWS::Logs::QueryDefinition", assertedBy: "test/infra: the saved log queries", refusal: UNRECOGNISED },
  {
    type: "AWS::Athena::NamedQuery",
    assertedBy: "test/infra and the DuckDB tests: the queries",
    refusal: UNRECOGNISED,
  },
  {
    type: "AWS::CloudWatch::Alarm",
    assertedBy: "test/infra: alarms on an expression over several metrics",
    isMeant: (resource) => resource instanceof CfnAlarm && resource.metrics !== undefined,
    refusal: /metric math\) is not supported/,
  },
];

/** Takes the resources out of their stacks, and tells what was there: path → type. */
export function takeOut(root: IConstruct, kinds: readonly Unknown[] = UNKNOWN): ReadonlyMap<string, string> {
  const taken = new Map<string, string>();
  for (const resource of root.node.findAll()) {
    if (CfnResource.isCfnResource(resource) && kinds.some((kind) => isOf(resource, kind))) {
      taken.set(resource.node.path, resource.cfnResourceType);
      resource.node.scope?.node.tryRemoveChild(resource.node.id);
    }
  }
  return taken;
}

function isOf(resource: CfnResource, { type, isMeant }: Unknown): boolean {
  return resource.cfnResourceType === type && isMeant?.(resource) !== false;
}
