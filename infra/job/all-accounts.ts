import { RemovalPolicy, Stack } from "aws-cdk-lib";
import type { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Asset } from "aws-cdk-lib/aws-s3-assets";
import {
  Choice,
  Condition,
  DefinitionBody,
  DistributedMap,
  Fail,
  JsonPath,
  Pass,
  S3JsonItemReader,
  StateMachine,
  StateMachineType,
  Succeed,
} from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { accountList } from "../account-list.ts";
import { acknowledge } from "../acknowledgements.ts";
import { allow } from "../allow.ts";
import { NIGHTLY_MACHINE } from "../names.ts";
import type { StackSettings } from "../settings.ts";
import { Loop, loopInput, TIMEOUT } from "./loop.ts";
import { machineRole } from "./machine-role.ts";

/** Stands after the machine's name in what its children are called. */
const LABEL = "Account";
const EXECUTIONS = [`execution:${NIGHTLY_MACHINE}:*`, `execution:${NIGHTLY_MACHINE}/${LABEL}:*`];

export interface AllAccountsProps {
  readonly fn: IFunction;
  readonly settings: Pick<StackSettings, "accounts" | "accountsAtOnce">;
}

/**
 * The nightly run: the same loop for each account of a list in S3, some at once. One account's failure stops no other; the execution fails in the
 * end, and says how many are not complete.
 */
export class AllAccounts extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, { fn, settings }: AllAccountsProps) {
    super(scope, id);
    const list = accountList(this, settings.accounts);
    const role = machineRole(this, NIGHTLY_MACHINE, fn, LABEL);
    for (const statement of this.#permissions(list)) {
      role.addToPolicy(statement);
    }
    this.machine = new StateMachine(this, "Machine", {
      stateMachineName: NIGHTLY_MACHINE,
      comment: "fillbook: a run of every account",
      definitionBody: DefinitionBody.fromChainable(this.#definition(list, fn, settings.accountsAtOnce)),
      role: role.withoutPolicyUpdates(),
      timeout: TIMEOUT,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // What CDK would allow it; the role does not take it, and the list below says the same in exact names.
    this.machine.node.tryRemoveChild("DistributedMapPolicy");
    acknowledge(this.machine, "AwsSolutions-SF1");
    acknowledge(this.machine, "AwsSolutions-SF2");
    for (const name of EXECUTIONS) {
      acknowledge(
        role,
        "AwsSolutions-IAM5",
        `Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:${name}`,
      );
    }
  }

  #definition(list: Asset, fn: IFunction, accountsAtOnce: number): DistributedMap {
    // What children give back is held in one state of 256 KiB, so it is next to nothing; a failure is told in the child's own history.
    const loop = new Loop(this, "Loop", {
      fn,
      complete: new Pass(this, "Complete", { parameters: {} }),
      failed: new Pass(this, "Failed", {
        parameters: { missing: JsonPath.stringAt("$.request.account"), error: JsonPath.stringAt("$.failure.Error") },
      }),
    });
    const each = new DistributedMap(this, "AllAccounts", {
      label: LABEL,
      mapExecutionType: StateMachineType.STANDARD,
      maxConcurrency: accountsAtOnce,
      itemReader: new S3JsonItemReader({ bucket: list.bucket, key: list.s3ObjectKey }),
      itemSelector: loopInput(
        { action: JsonPath.stringAt("$.action"), account: JsonPath.stringAt("$$.Map.Item.Value") },
        JsonPath.stringAt("$$.Execution.Name"), // of the whole night: here the context is still the parent's
      ),
      resultSelector: { "missing.$": "$[*].missing" },
    });
    each.itemProcessor(loop.start);
    const count = new Pass(this, "Count", {
      parameters: { "count.$": "States.ArrayLength($.missing)", "missing.$": "$.missing" },
    });
    const failed = new Pass(this, "NameOne", {
      parameters: {
        "cause.$":
          "States.Format('{} of the accounts not complete, among them {}: the children of the step AllAccounts say why', $.count, $.missing[0])",
      },
    }).next(new Fail(this, "NotAll", { error: "AccountsNotComplete", causePath: "$.cause" }));
    each
      .next(count)
      .next(
        new Choice(this, "All?").when(Condition.numberEquals("$.count", 0), new Succeed(this, "All")).otherwise(failed),
      );
    return each;
  }

  /** What a Distributed Map asks for: https://docs.aws.amazon.com/step-functions/latest/dg/iam-policies-eg-dist-map.html */
  #permissions(list: Asset): readonly PolicyStatement[] {
    const stack = Stack.of(this);
    const arn = (name: string) => `arn:${stack.partition}:states:${stack.region}:${stack.account}:${name}`;
    return [
      allow("Children", ["states:StartExecution"], [arn(`stateMachine:${NIGHTLY_MACHINE}`)]),
      allow("ChildrenOfTheRun", ["states:DescribeExecution", "states:StopExecution"], EXECUTIONS.map(arn)),
      allow("Accounts", ["s3:GetObject"], [list.bucket.arnForObjects(list.s3ObjectKey)]),
    ];
  }
}
