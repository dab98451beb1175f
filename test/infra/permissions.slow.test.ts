import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { grants, statementsOfRole } from "./policy.ts";
import { brief, resourcesOf, type Statement, statementsOf, templates } from "./synth.ts";

const DEPLOYING = readFileSync(join(import.meta.dirname, "../../docs/deploy.md"), "utf8");
const STATES = "arn:Ref(AWS::Partition):states:Ref(AWS::Region):Ref(AWS::AccountId)";

// The roles under which our code runs: recorded.system.test.ts in test/handler and in test/web/hosts/aws.
describe("permissions", () => {
  const NIGHTLY = "arn:aws:states:eu-west-1:000000000000";
  const { job: full } = templates({ accounts: "main,other", packLockDays: "30", encryption: "kms" });

  // https://docs.aws.amazon.com/step-functions/latest/dg/connect-lambda.html
  // https://docs.aws.amazon.com/step-functions/latest/dg/iam-policies-eg-dist-map.html
  // https://docs.aws.amazon.com/scheduler/latest/UserGuide/setting-up.html
  test.each<[string, readonly (string | RegExp)[]]>([
    ["OnDemandRole", ["lambda:InvokeFunction on Arn(JobFunction23969A7D)"]],
    [
      "NightsRole",
      [
        "lambda:InvokeFunction on Arn(JobFunction23969A7D)",
        /^s3:GetObject on arn:aws:s3:::cdk-\w+-assets-000000000000-eu-west-1\/[0-9a-f]{64}\.json$/, // the accounts
        `states:DescribeExecution on ${NIGHTLY}:execution:fillbook-nightly/Account:*`,
        `states:DescribeExecution on ${NIGHTLY}:execution:fillbook-nightly:*`,
        `states:StartExecution on ${NIGHTLY}:stateMachine:fillbook-nightly`,
        `states:StopExecution on ${NIGHTLY}:execution:fillbook-nightly/Account:*`,
        `states:StopExecution on ${NIGHTLY}:execution:fillbook-nightly:*`,
      ],
    ],
    ["SchedulerRole", ["states:StartExecution on Ref(NightsMachineEBB06EB1)"]],
  ])(
    "of the role %s are what AWS documents for a call of a function, a map of executions, a schedule",
    (role, asked) => {
      expect(grants(statementsOfRole(full, role), [])).toEqual(
        asked.map((one) => (typeof one === "string" ? one : expect.stringMatching(one))),
      );
      expect(resourcesOf(full, "AWS::Lambda::Permission")).toEqual([]);
    },
  );

  test.each(["job", "page"] as const)("of a key of our own allow its use only through S3: of the %s", (name) => {
    const template = templates({ encryption: "kms" })[name];
    const all = resourcesOf(template, "AWS::IAM::Policy").flatMap(([, policy]) => statementsOf(policy));
    expect(conditions(all.find(({ Sid }) => Sid === "ArchiveKey") ?? expect.fail("no statement"))).toEqual({
      "kms:ViaService": "s3.Ref(AWS::Region).Ref(AWS::URLSuffix)",
    });
  });

  test("are exactly those that docs/deploy.md lists for a boundary", () => {
    const [, listed = ""] = /a policy must allow what they do: (.*)/.exec(DEPLOYING) ?? [];
    const asked = listed.split(";").flatMap((service) => {
      const names = [...service.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
      const prefix = `${names[0]?.split(":")[0]}:`;
      return names.map((name) => (name.includes(":") ? name : prefix + name));
    });
    const { data, job, page } = templates({ encryption: "kms", packLockDays: "30" });
    const done = [data, job, page]
      .flatMap((template) => resourcesOf(template, "AWS::IAM::Policy"))
      .flatMap(([, policy]) => statementsOf(policy).flatMap(({ Action }) => Action));
    expect([...asked].sort()).toEqual([...new Set(done)].sort());
  });

  test("come from no managed policy and no inline one", () => {
    const { data, job, page } = templates();
    for (const [, role] of [data, job, page].flatMap((template) => resourcesOf(template, "AWS::IAM::Role"))) {
      expect(Object.keys(role.Properties)).not.toContain("ManagedPolicyArns");
      expect(Object.keys(role.Properties)).not.toContain("Policies");
    }
  });

  test("let one service assume each role, for this account's machines and schedule group; only the function may assume the account's role", () => {
    const { job, page } = templates();
    const roles = [job, page].flatMap((template) =>
      resourcesOf(template, "AWS::IAM::Role").map(([id, role]) => [
        id,
        statementsOf(role).map((trust) => [trust.Action, brief(trust.Principal), conditions(trust)]),
      ]),
    );
    const ofFunction = (id: string) => [
      ["sts:AssumeRole", `AWS(Arn(${id}))`, {}],
      ["sts:TagSession", `AWS(Arn(${id}))`, { "aws:TagKeys": ["account"] }],
    ];
    const machine = (...names: string[]) => ({
      "aws:SourceAccount": "Ref(AWS::AccountId)",
      "aws:SourceArn": names.map((name) => `${STATES}:stateMachine:${name}`),
    });
    expect(Object.fromEntries(roles)).toEqual({
      JobRole93F563EA: [["sts:AssumeRole", "Service(lambda.amazonaws.com)", {}]],
      JobAccountRoleC289F2EB: ofFunction("JobRole93F563EA"),
      ServerRoleB6C85082: [["sts:AssumeRole", "Service(lambda.amazonaws.com)", {}]],
      ServerAccountRole8F2CCB73: ofFunction("ServerRoleB6C85082"),
      OnDemandRole46CD1DDD: [["sts:AssumeRole", "Service(states.amazonaws.com)", machine("fillbook")]],
      NightsRole5EE6C5EB: [
        ["sts:AssumeRole", "Service(states.amazonaws.com)", machine("fillbook-nightly", "fillbook-nightly/Account")],
      ],
      SchedulerRoleForTargetda7ad35FFBD38A: [
        [
          "sts:AssumeRole",
          "Service(scheduler.amazonaws.com)",
          { "aws:SourceAccount": "Ref(AWS::AccountId)", "aws:SourceArn": "Arn(NightlyGroupEBDA51F2)" },
        ],
      ],
    });
  });
});

function conditions(statement: Statement): Readonly<Record<string, unknown>> {
  const operators: Readonly<Record<string, object>> = JSON.parse(JSON.stringify(statement.Condition ?? {}));
  return Object.fromEntries(
    Object.values(operators).flatMap((keys) =>
      Object.entries(keys).map(([key, value]) => [key, Array.isArray(value) ? value.map(brief) : brief(value)]),
    ),
  );
}
