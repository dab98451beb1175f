import { ArnFormat, Stack } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { allow } from "../allow.ts";

/**
 * The role of the state machine `name`: for that machine of this AWS account alone, and with the function as all it may call. `label`: of its
 * Distributed Map, whose children have it after the machine's name.
 */
export function machineRole(scope: Construct, name: string, fn: IFunction, label: string | null = null): Role {
  const stack = Stack.of(scope);
  const arn = (resourceName: string) =>
    stack.formatArn({
      service: "states",
      resource: "stateMachine",
      resourceName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  const role = new Role(scope, "Role", {
    description: `fillbook: the state machine ${name}`,
    assumedBy: new ServicePrincipal("states.amazonaws.com", {
      conditions: {
        StringEquals: { "aws:SourceAccount": stack.account },
        ArnEquals: { "aws:SourceArn": [arn(name), ...(label === null ? [] : [arn(`${name}/${label}`)])] },
      },
    }),
  });
  role.addToPolicy(allow("Slices", ["lambda:InvokeFunction"], [fn.functionArn]));
  return role;
}
