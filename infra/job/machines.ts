import { RemovalPolicy, Stack } from "aws-cdk-lib";
import type { Role } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import type { Asset } from "aws-cdk-lib/aws-s3-assets";
import {
  Choice,
  Condition,
  DefinitionBody,
  DistributedMap,
  Fail,
  type IChainable,
  JsonPath,
  Pass,
  S3JsonItemReader,
  StateMachine,
  StateMachineType,
  Succeed,
} from "aws-cdk-lib/aws-stepfunctions";
import { Construct } from "constructs";
import { counted } from "../../lambda/core/text.ts";
import { accountList, readingList } from "../function.ts";
import { NAMES } from "../names.ts";
import { addAll, allow, machineRole, statesArn } from "../roles.ts";
import type { StackSettings } from "../settings.ts";
import { loop, loopInput, TIMEOUT } from "./loop.ts";

/** One account's run, started by a person: the input is the function's event, the output its last answer. */
export function onDemand(scope: Construct, fn: IFunction): StateMachine {
  const here = new Construct(scope, "OnDemand");
  const start = new Pass(here, "Start", {
    parameters: loopInput(JsonPath.objectAt("$"), JsonPath.stringAt("$$.Execution.Name")),
  });
  const slices = loop(here, fn, {
    complete: new Succeed(here, "Complete", { outputPath: "$.slice.answer" }),
    failed: new Fail(here, "Failed", { errorPath: "$.failure.Error", causePath: "$.failure.Cause" }),
  });
  const name = NAMES.machine;
  const role = machineRole(here, fn.functionArn, name);
  return machine(here, role, name, "fillbook: slices of one account until its run is complete", start.next(slices));
}

type NightSettings = Pick<StackSettings, "accounts" | "accountsAtOnce">;

/** The name of the child executions. */
const CHILD = "Account";

/**
 * If at most one account in this many is not complete, the night does not fail: an account that is refused
 * for weeks must not hide new failures.
 */
const TOLERATES_ONE_OF = 20;

/**
 * The nightly run: the same loop for each account of a list in S3, several at once. One account's failure
 * stops no other. The execution fails at the end if too many are not complete, and its cause says how many.
 */
export function allAccounts(scope: Construct, fn: IFunction, settings: NightSettings): StateMachine {
  const here = new Construct(scope, "Nights");
  const stack = Stack.of(scope);
  const name = NAMES.nightlyMachine;
  const children = `${name}/${CHILD}`;
  const executions = [`${name}:*`, `${children}:*`];
  const list = accountList(here, settings.accounts);
  const role = machineRole(here, fn.functionArn, name, children);
  // The permissions that a Distributed Map needs:
  // https://docs.aws.amazon.com/step-functions/latest/dg/iam-policies-eg-dist-map.html
  addAll(role, [
    allow("Children", ["states:StartExecution"], [statesArn(stack, "stateMachine", name)]),
    allow(
      "ChildrenOfTheRun",
      ["states:DescribeExecution", "states:StopExecution"],
      executions.map((one) => statesArn(stack, "execution", one)),
    ),
    readingList("Accounts", list),
  ]);
  const body = eachAccount(here, list, fn, settings);
  const nights = machine(here, role, name, "fillbook: a run of every account", body);
  // Removes the CDK's policy for the map: it is wider, and the list above grants the same with exact names.
  nights.node.tryRemoveChild("DistributedMapPolicy");
  return nights;
}

function eachAccount(here: Construct, list: Asset, fn: IFunction, settings: NightSettings): IChainable {
  const accounts = settings.accounts.length;
  // The answers of all children share one state of 256 KiB, so each child answers almost nothing. A child's
  // own history holds its failure.
  const slices = loop(here, fn, {
    complete: new Pass(here, "Complete", { parameters: { complete: 1 } }),
    failed: new Pass(here, "Failed", {
      parameters: { missing: JsonPath.stringAt("$.request.account"), error: JsonPath.stringAt("$.failure.Error") },
    }),
  });
  const each = new DistributedMap(here, "AllAccounts", {
    label: CHILD,
    // An error that no state catches (a missing or too large answer) ends a child as failed. That child then
    // does not count as complete, whatever its answer is.
    toleratedFailurePercentage: 100,
    mapExecutionType: StateMachineType.STANDARD,
    maxConcurrency: settings.accountsAtOnce,
    itemReader: new S3JsonItemReader({ bucket: list.bucket, key: list.s3ObjectKey }),
    itemSelector: loopInput(
      { action: JsonPath.stringAt("$.action"), account: JsonPath.stringAt("$$.Map.Item.Value") },
      JsonPath.stringAt("$$.Execution.Name"), // of the whole night: here the context is still the parent's
    ),
    resultSelector: { "complete.$": "$[*].complete", "missing.$": "$[*].missing" },
  }).itemProcessor(slices);
  const count = new Pass(here, "Count", {
    parameters: { "complete.$": "States.ArrayLength($.complete)", "missing.$": "$.missing" },
  });
  const failed = new Fail(here, "NotAll", { error: "AccountsNotComplete", causePath: "$.cause" });
  const cause = (id: string, others: string, ...values: string[]) => {
    const text = `{} of ${counted(accounts, "account")} complete; ${others}. The child executions of the step AllAccounts say why`;
    const parameters = { "cause.$": `States.Format('${text}', ${["$.complete", ...values].join(", ")})` };
    return new Pass(here, id, { parameters }).next(failed);
  };
  const leastComplete = accounts - Math.floor(accounts / TOLERATES_ONE_OF);
  const judge = new Choice(here, "Enough?")
    .when(Condition.numberGreaterThanEquals("$.complete", leastComplete), new Succeed(here, "Enough"))
    .when(Condition.isPresent("$.missing[0]"), cause("NameOne", "not complete, among others: {}", "$.missing[0]"))
    .otherwise(cause("NameNone", "none of the others ended by itself"));
  each.next(count).next(judge);
  return each;
}

function machine(here: Construct, role: Role, name: string, comment: string, body: IChainable): StateMachine {
  return new StateMachine(here, "Machine", {
    stateMachineName: name,
    comment,
    definitionBody: DefinitionBody.fromChainable(body),
    role: role.withoutPolicyUpdates(),
    timeout: TIMEOUT,
    removalPolicy: RemovalPolicy.DESTROY,
  });
}
