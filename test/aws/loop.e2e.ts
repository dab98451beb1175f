import { CreateStackCommand, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { beforeAll, describe, expect, test } from "vitest";
import { MAX_STALLS, MAX_TURNS } from "../../infra/job/loop.ts";
import { resolved } from "../infra/policy.ts";
import { resourcesOf, templates } from "../infra/synth.ts";
import { type Clients, freshCloud, storeAt, until } from "./cloud.ts";
import { endOfRun, SUCCEEDED, startRun } from "./runs.ts";

/** The templates' state machines, with a function in place of ours that does what the event's action says. */

const ACCOUNT_ID = "000000000000";
const ACCOUNTS = Array.from({ length: 45 }, (_, index) => `a${index}`);
/** In place of a thousand, which would take minutes. */
const FEWER_TURNS = 30;
const FUNCTION = `arn:aws:lambda:eu-west-1:${ACCOUNT_ID}:function:loop`;

/**
 * Of `what number`: `time-up` and `stalled` do so that often in a run, and then complete it; the others fail the
 * accounts below that number. A run's calls are counted in a file, because they may meet several processes.
 */
const CODE = `
const { appendFileSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
exports.handler = async (event) => {
  const { action, account = "a0", runId } = event;
  const [what, number] = action.split(" ");
  const isBelow = Number(account.slice(1)) < number;
  const path = join(require("node:os").tmpdir(), "calls-" + runId + account);
  appendFileSync(path, ".");
  const isDone = readFileSync(path).length > number;
  const more = { complete: false, stalled: what === "stalled", retryAfterSeconds: 1 };
  if (what === "time-up" || what === "stalled") {
    return isDone ? { complete: true, asked: event } : { ...more, error: { message: "the service answers 503" } };
  }
  if (isBelow && what === "refused") {
    throw new Error("the token was refused");
  }
  const malformed = { empty: null, "without-complete": {}, "without-pause": { complete: false, stalled: false } };
  return isBelow ? malformed[what] : { complete: true };
};`;

let owner: Clients;
const machines = resourcesOf(templates({ accounts: ACCOUNTS.join() }).job, "AWS::StepFunctions::StateMachine").map(
  ([, { Properties }]) => {
    const definition = resolved(Properties["DefinitionString"], [[/Arn\(JobFunction\w+\)/g, FUNCTION]]);
    const most = `"NumericGreaterThanEquals":${MAX_TURNS}`;
    expect(definition).toContain(most);
    const fewer = definition.replace(most, `"NumericGreaterThanEquals":${FEWER_TURNS}`);
    return { name: String(Properties["StateMachineName"]), definition: fewer };
  },
);

const TRUST = { Effect: "Allow", Principal: { Service: ["lambda.amazonaws.com", "states.amazonaws.com"] } };
const RoleArn = { "Fn::GetAtt": ["Role", "Arn"] };
const TEMPLATE = {
  Resources: {
    Role: {
      Type: "AWS::IAM::Role",
      Properties: {
        AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [{ ...TRUST, Action: "sts:AssumeRole" }] },
        Policies: [
          {
            PolicyName: "Everything",
            PolicyDocument: { Version: "2012-10-17", Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }] },
          },
        ],
      },
    },
    Function: {
      Type: "AWS::Lambda::Function",
      Properties: {
        FunctionName: "loop",
        Runtime: "nodejs24.x",
        Handler: "index.handler",
        Role: RoleArn,
        Code: { ZipFile: CODE },
      },
    },
    ...Object.fromEntries(
      machines.map(({ name: StateMachineName, definition: DefinitionString }, index) => [
        `Machine${index}`,
        { Type: "AWS::StepFunctions::StateMachine", Properties: { StateMachineName, DefinitionString, RoleArn } },
      ]),
    ),
  },
};

beforeAll(async () => {
  const cloud = await freshCloud();
  owner = cloud.owner;
  const [, bucket, key = ""] =
    /"Bucket":"([^"]+)","Key":"([^"]+)"/.exec(machines.map((one) => one.definition).join()) ?? [];
  await storeAt(cloud.place, `s3://${bucket}/`).createNew(key, Buffer.from(JSON.stringify(ACCOUNTS)));
  const stack = { StackName: "loop", TemplateBody: JSON.stringify(TEMPLATE) };
  await owner.formation.send(new CreateStackCommand({ ...stack, Capabilities: ["CAPABILITY_IAM"] }));
  await until("the machines", 30_000, async () => {
    const { Stacks: stacks = [] } = await owner.formation.send(new DescribeStacksCommand({ StackName: "loop" }));
    return stacks.find(({ StackStatus: status }) => status === "CREATE_COMPLETE") ?? null;
  });
});

async function ran(machine: "fillbook" | "fillbook-nightly", action: string) {
  const arn = await startRun(owner, `arn:aws:states:eu-west-1:${ACCOUNT_ID}:stateMachine:${machine}`, { action });
  return { name: arn.split(":").at(-1), ...(await endOfRun(owner, arn, 240_000)) };
}

test.each([
  ["time-up 2", SUCCEEDED],
  [`time-up ${FEWER_TURNS - 1}`, SUCCEEDED],
  [`time-up ${FEWER_TURNS}`, { status: "FAILED", error: "TooManyTurns" }],
  [`stalled ${MAX_STALLS}`, SUCCEEDED],
  [`stalled ${MAX_STALLS + 1}`, { status: "FAILED", error: "NotComplete", cause: "the service answers 503" }],
  ["refused 1", { status: "FAILED", cause: expect.stringContaining("the token was refused") }],
])("the loop with a function that answers %s", async (action, end) => {
  const { name, ...ended } = await ran("fillbook", action);
  expect(ended).toMatchObject(end);
  expect(ended.output?.["asked"] ?? null).toEqual(end === SUCCEEDED ? { action, runId: name } : null);
});

describe("the night", () => {
  // A malformed answer fails its child. AWS names it in no list, because no state catches that error; MiniStack's does.
  test.each([
    ["time-up 2", { complete: 45, missing: [] }],
    ["refused 2", { complete: 43, missing: ["a0", "a1"] }],
    ["empty 2", { complete: 43 }],
    ["without-complete 2", { complete: 43 }],
    ["without-pause 2", { complete: 43 }],
  ])("succeeds if at most one account in twenty fails, and names them: %s", async (action, output) => {
    expect(await ran("fillbook-nightly", action)).toMatchObject({ ...SUCCEEDED, output });
  });

  test.each([
    ["refused 3", /^42 of 45 accounts complete; not complete, among others: a0\./],
    ["without-complete 45", /^0 of 45 accounts complete; /],
  ])("goes on with the others, and fails in the end: %s", async (action, says) => {
    const { status, error, cause } = await ran("fillbook-nightly", action);
    expect({ status, error }).toEqual({ status: "FAILED", error: "AccountsNotComplete" });
    expect(cause).toMatch(says);
  });
});
