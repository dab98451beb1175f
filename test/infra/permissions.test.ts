import { describe, expect, test } from "vitest";
import { brief, pairs, resourcesOf, type Statement, statementsOf, templates } from "./synth.ts";

const ARCHIVE = "Import(FillbookData:ExportsOutputFnGetAttArchiveBucket49F1AC64Arn3FBD647E)";
const SECRET = "Import(FillbookData:ExportsOutputRefTokenmain6369C5C1B7B515E8)";
const ARN = (service: string) => `arn:Ref(AWS::Partition):${service}:Ref(AWS::Region):Ref(AWS::AccountId)`;

/** Role → everything that its policies allow. */
function allowed(settings: Readonly<Record<string, string>> = {}) {
  const { data, job } = templates(settings);
  const policies = [...resourcesOf(data, "AWS::IAM::Policy"), ...resourcesOf(job, "AWS::IAM::Policy")];
  return Object.fromEntries(
    policies.map(([, policy]) => [
      (policy.Properties["Roles"] as readonly { Ref: string }[]).map(({ Ref }) => Ref).join(),
      pairs(statementsOf(policy)),
    ]),
  );
}

const JOB = [
  "logs:CreateLogStream on Arn(JobLogBF0312D3)",
  "logs:PutLogEvents on Arn(JobLogBF0312D3)",
  `s3:AbortMultipartUpload on ${ARCHIVE}/fillbook/main/*`,
  `s3:DeleteObject on ${ARCHIVE}/fillbook/main/fills/*`,
  `s3:DeleteObject on ${ARCHIVE}/fillbook/main/manifests/*`,
  `s3:DeleteObject on ${ARCHIVE}/fillbook/main/pages/*`,
  `s3:DeleteObject on ${ARCHIVE}/fillbook/main/restatements/*`,
  `s3:GetObject on ${ARCHIVE}/fillbook/main/*`,
  `s3:ListBucket on ${ARCHIVE}`,
  `s3:PutObject on ${ARCHIVE}/fillbook/main/*`,
  `secretsmanager:GetSecretValue on ${SECRET}`,
];

describe("permissions", () => {
  test("are these and no others", () => {
    expect(allowed()).toEqual({
      JobRole93F563EA: JOB,
      LoopRole4743FE6F: ["lambda:InvokeFunction on Arn(JobFunction23969A7D)"],
      NightlyRole954B33E9: [
        "sqs:SendMessage on Arn(NightlyDeadLetters8C4076B0)",
        "states:StartExecution on Ref(LoopMachine8DE96952)",
      ],
    });
  });

  test("with a key of our own add its use through S3, and nothing else", () => {
    const key = "Import(FillbookData:ExportsOutputFnGetAttArchiveKey3EF5EDE5ArnED91B387)";
    expect(allowed({ encryption: "kms" })["JobRole93F563EA"]).toEqual(
      [...JOB, `kms:Decrypt on ${key}`, `kms:GenerateDataKey on ${key}`].sort(),
    );
    const statement = conditioned(templates({ encryption: "kms" }).job, "ArchiveKey");
    expect(JSON.stringify(statement.Condition)).toBe(
      '{"StringEquals":{"kms:ViaService":{"Fn::Join":["",["s3.",{"Ref":"AWS::Region"},".",{"Ref":"AWS::URLSuffix"}]]}}}',
    );
  });

  test("to list are for the account's own keys", () => {
    expect(conditioned(templates().job, "ArchiveKeys").Condition).toEqual({
      StringLike: { "s3:prefix": "fillbook/main/*" },
    });
  });

  test("come from no managed policy and no inline one", () => {
    const { data, job } = templates();
    for (const [, role] of [...resourcesOf(data, "AWS::IAM::Role"), ...resourcesOf(job, "AWS::IAM::Role")]) {
      expect(Object.keys(role.Properties)).not.toContain("ManagedPolicyArns");
      expect(Object.keys(role.Properties)).not.toContain("Policies");
    }
  });

  test("are assumed by one service each, for this account's own machine and schedule group", () => {
    const roles = resourcesOf(templates().job, "AWS::IAM::Role").map(([id, role]) => {
      const [trust] = statementsOf(role);
      return [id, { who: brief(trust?.Principal), when: conditions(trust) }];
    });
    expect(Object.fromEntries(roles)).toEqual({
      JobRole93F563EA: { who: "Service(lambda.amazonaws.com)", when: {} },
      LoopRole4743FE6F: {
        who: "Service(states.amazonaws.com)",
        when: {
          "aws:SourceAccount": "Ref(AWS::AccountId)",
          "aws:SourceArn": `${ARN("states")}:stateMachine:fillbook-main`,
        },
      },
      NightlyRole954B33E9: {
        who: "Service(scheduler.amazonaws.com)",
        when: {
          "aws:SourceAccount": "Ref(AWS::AccountId)",
          "aws:SourceArn": `${ARN("scheduler")}:schedule-group/fillbook-main`,
        },
      },
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

function conditions(statement: Statement | undefined): Readonly<Record<string, string>> {
  const operators: Readonly<Record<string, object>> = JSON.parse(JSON.stringify(statement?.Condition ?? {}));
  return Object.fromEntries(
    Object.values(operators).flatMap((keys) => Object.entries(keys).map(([key, value]) => [key, brief(value)])),
  );
}
