import { describe, expect, test } from "vitest";
import { grants, resolved, statementsOfRole } from "./policy.ts";
import { brief, resourcesOf, templates } from "./synth.ts";

/**
 * Roles under which no code of ours runs have exactly the permissions that they need. A state machine's
 * definition and a schedule list what they call, and AWS documents the permissions for it.
 * test/handler/recorded.system.test.ts records the function's calls.
 */

/** A deployment with all options. */
const SETTINGS = { accounts: "main,other", tokenSecrets: "other=mine/other", packLockDays: "30", encryption: "kms" };
const EXECUTION = "arn:aws:states:eu-west-1:000000000000:execution";
const MACHINE = "arn:aws:states:eu-west-1:000000000000:stateMachine";

interface State {
  readonly Type: string;
  readonly Resource?: string;
  readonly Parameters?: Readonly<Record<string, string>>;
  readonly Label?: string;
  readonly ItemReader?: { readonly Resource: string; readonly Parameters: Readonly<Record<string, string>> };
  readonly ResultWriter?: unknown;
  readonly ItemProcessor?: Definition & { readonly ProcessorConfig: { readonly Mode: string } };
  readonly Branches?: unknown;
}

interface Definition {
  readonly States: Readonly<Record<string, State>>;
}

const { data, job, tokens } = templates(SETTINGS);
const machines = resourcesOf(job, "AWS::StepFunctions::StateMachine");
const schedules = resourcesOf(job, "AWS::Scheduler::Schedule");

describe("the permissions are exactly the needed ones for", () => {
  test.each(machines)("the machine %s", (_id, { Properties }) => {
    const definition: Definition = JSON.parse(resolved(Properties["DefinitionString"], []));
    const asked = [...askedBy(definition, brief(Properties["StateMachineName"]))];
    expect(allowed(Properties["RoleArn"])).toEqual([...new Set(asked)].sort());
  });

  // https://docs.aws.amazon.com/scheduler/latest/UserGuide/setting-up.html
  test.each(schedules)("the schedule %s", (_id, { Properties }) => {
    const { Arn, RoleArn } = Properties["Target"] as Readonly<Record<string, unknown>>;
    const [[machine = ""] = []] = machines.filter(([id]) => brief(Arn) === `Ref(${id})`);
    expect(allowed(RoleArn)).toEqual([`states:StartExecution on Ref(${machine})`]);
  });

  test("and there is no other role", () => {
    const roles = [data, job, ...tokens].flatMap((template) => resourcesOf(template, "AWS::IAM::Role"));
    const taken = [
      ...resourcesOf(job, "AWS::Lambda::Function").map(([, fn]) => roleOf(fn.Properties["Role"])),
      ...machines.map(([, machine]) => roleOf(machine.Properties["RoleArn"])),
      ...schedules.map(([, schedule]) => roleOf((schedule.Properties["Target"] as { RoleArn: unknown }).RoleArn)),
    ];
    const assumed = roles.map(([id]) => id).filter((id) => id.startsWith("JobAccountRole"));
    expect(assumed).toHaveLength(1);
    expect(roles.map(([id]) => id).sort()).toEqual([...taken, ...assumed].sort());
    expect([data, job, ...tokens].flatMap((one) => resourcesOf(one, "AWS::Lambda::Permission"))).toEqual([]);
  });
});

function allowed(roleArn: unknown): readonly string[] {
  return grants(statementsOfRole(job, roleOf(roleArn)), []);
}

/** The logical id within `Arn(id)`. */
function roleOf(arn: unknown): string {
  return /^Arn\((\w+)\)$/.exec(brief(arn))?.[1] ?? "";
}

/**
 * `action on resource` for everything that the states do in the machine's name. Throws for a state that is
 * not handled here. https://docs.aws.amazon.com/step-functions/latest/dg/connect-lambda.html
 * https://docs.aws.amazon.com/step-functions/latest/dg/iam-policies-eg-dist-map.html
 */
function* askedBy({ States }: Definition, machine: string): Generator<string> {
  for (const state of Object.values(States)) {
    if (state.Type === "Task") {
      expect(state.Resource).toBe("arn:aws:states:::lambda:invoke");
      yield `lambda:InvokeFunction on ${state.Parameters?.["FunctionName"]}`;
    } else if (state.Type === "Map") {
      yield* askedByMap(state, machine);
    } else {
      expect(["Pass", "Choice", "Wait", "Succeed", "Fail"]).toContain(state.Type);
    }
  }
}

/** A map's children are separate executions, named after the machine and the map's label. */
function* askedByMap(map: State, machine: string): Generator<string> {
  const { ItemReader: reader, ItemProcessor: processor, Label: label } = map;
  expect(processor?.ProcessorConfig.Mode).toBe("DISTRIBUTED");
  expect(reader?.Resource).toBe("arn:aws:states:::s3:getObject");
  expect(map.ResultWriter).toBeUndefined();
  yield `states:StartExecution on ${MACHINE}:${machine}`;
  for (const action of ["states:DescribeExecution", "states:StopExecution"]) {
    yield `${action} on ${EXECUTION}:${machine}:*`;
    yield `${action} on ${EXECUTION}:${machine}/${label}:*`;
  }
  yield `s3:GetObject on arn:aws:s3:::${reader?.Parameters["Bucket"]}/${reader?.Parameters["Key"]}`;
  if (processor !== undefined) {
    yield* askedBy(processor, machine);
  }
}
