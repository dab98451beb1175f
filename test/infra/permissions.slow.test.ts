import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { brief, pageTemplates, resourcesOf, type Statement, statementsOf } from "./synth.ts";

const DEPLOYING = readFileSync(join(import.meta.dirname, "../../docs/deploy.md"), "utf8");
const STATES = "arn:Ref(AWS::Partition):states:Ref(AWS::Region):Ref(AWS::AccountId)";

// Other tests hold the list of permissions: test/handler/recorded.system.test.ts and recorded.slow.test.ts.
describe("permissions", () => {
  test.each([
    ["job", pageTemplates({ encryption: "kms" }).job],
    ["page", pageTemplates({ encryption: "kms" }).page],
  ])("of a key of our own allow its use only through S3: of the %s", (_, template) => {
    expect(JSON.stringify(conditioned(template, "ArchiveKey").Condition)).toBe(
      '{"StringEquals":{"kms:ViaService":{"Fn::Join":["",["s3.",{"Ref":"AWS::Region"},".",{"Ref":"AWS::URLSuffix"}]]}}}',
    );
  });

  test("are exactly those that docs/deploy.md lists for a boundary", () => {
    const [, listed = ""] = /a policy must allow what they do: (.*)/.exec(DEPLOYING) ?? [];
    const asked = listed.split(";").flatMap((service) => {
      const names = [...service.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
      const prefix = `${names[0]?.split(":")[0]}:`;
      return names.map((name) => (name.includes(":") ? name : prefix + name));
    });
    const { data, job, page } = pageTemplates({ encryption: "kms", packLockDays: "30" });
    const done = [data, job, page]
      .flatMap((template) => resourcesOf(template, "AWS::IAM::Policy"))
      .flatMap(([, policy]) => statementsOf(policy).flatMap(({ Action }) => Action));
    expect([...asked].sort()).toEqual([...new Set(done)].sort());
  });

  test("come from no managed policy and no inline one", () => {
    const { data, job, page } = pageTemplates();
    for (const [, role] of [data, job, page].flatMap((template) => resourcesOf(template, "AWS::IAM::Role"))) {
      expect(Object.keys(role.Properties)).not.toContain("ManagedPolicyArns");
      expect(Object.keys(role.Properties)).not.toContain("Policies");
    }
  });

  test("let one service assume each role, for this account's machines and schedule group; only the function may assume the account's role", () => {
    const { job, page } = pageTemplates();
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

function conditioned(template: Parameters<typeof resourcesOf>[0], sid: string): Statement {
  const found = resourcesOf(template, "AWS::IAM::Policy")
    .flatMap(([, policy]) => statementsOf(policy))
    .find(({ Sid }) => Sid === sid);
  if (found === undefined) {
    throw new Error(`no statement ${sid}`);
  }
  return found;
}

function conditions(statement: Statement): Readonly<Record<string, unknown>> {
  const operators: Readonly<Record<string, object>> = JSON.parse(JSON.stringify(statement.Condition ?? {}));
  return Object.fromEntries(
    Object.values(operators).flatMap((keys) =>
      Object.entries(keys).map(([key, value]) => [key, Array.isArray(value) ? value.map(brief) : brief(value)]),
    ),
  );
}
