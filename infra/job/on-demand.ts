import { RemovalPolicy } from "aws-cdk-lib";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { DefinitionBody, Fail, JsonPath, Pass, StateMachine, Succeed } from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { acknowledge } from "../acknowledgements.ts";
import { MACHINE } from "../names.ts";
import { Loop, loopInput, TIMEOUT } from "./loop.ts";
import { machineRole } from "./machine-role.ts";

/** One account's run, started by a person: the input is the function's event, the output its last answer. */
export class OnDemand extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, { fn }: { readonly fn: IFunction }) {
    super(scope, id);
    const start = new Pass(this, "Start", {
      parameters: loopInput(JsonPath.objectAt("$"), JsonPath.stringAt("$$.Execution.Name")),
    });
    const loop = new Loop(this, "Loop", {
      fn,
      complete: new Succeed(this, "Complete", { outputPath: "$.slice.answer" }),
      failed: new Fail(this, "Failed", { errorPath: "$.failure.Error", causePath: "$.failure.Cause" }),
    });
    this.machine = new StateMachine(this, "Machine", {
      stateMachineName: MACHINE,
      comment: "fillbook: slices of one account until its run is complete",
      definitionBody: DefinitionBody.fromChainable(start.next(loop.start)),
      role: machineRole(this, MACHINE, fn).withoutPolicyUpdates(),
      timeout: TIMEOUT,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(this.machine, "AwsSolutions-SF1");
    acknowledge(this.machine, "AwsSolutions-SF2");
  }
}
