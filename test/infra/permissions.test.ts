import { describe, expect, test } from "vitest";
import { brief, pairs, resourcesOf, type Statement, statementsOf, templates } from "./synth.ts";

const ARCHIVE = "Import(FillbookData:ExportsOutputFnGetAttArchiveBucket49F1AC64Arn3FBD647E)";
const PACKS = "Import(FillbookData:ExportsOutputFnGetAttPacksBucketD74B7A78ArnFEA25008)";
const TAG = "{aws:PrincipalTag/account}";
const KEYS = `fillbook/$${TAG}`;
const ARN = (service: string) => `arn:Ref(AWS::Partition):${service}:Ref(AWS::Region):Ref(AWS::AccountId)`;
const ACCOUNT_ROLE = "arn:Ref(AWS::Partition):iam::Ref(AWS::AccountId):role/fillbook-account-Ref(AWS::Region)";

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

const ACCOUNT = [
  `s3:AbortMultipartUpload on ${ARCHIVE}/${KEYS}/packs/*`,
  `s3:AbortMultipartUpload on ${ARCHIVE}/${KEYS}/zips/*`,
  `s3:DeleteObject on ${ARCHIVE}/${KEYS}/fills/*`,
  `s3:DeleteObject on ${ARCHIVE}/${KEYS}/index/*`,
  `s3:DeleteObject on ${ARCHIVE}/${KEYS}/manifests/*`,
  `s3:DeleteObject on ${ARCHIVE}/${KEYS}/pages/*`,
  `s3:DeleteObject on ${ARCHIVE}/${KEYS}/restatements/*`,
  `s3:DeleteObject on ${ARCHIVE}/${KEYS}/zips/*`,
  `s3:GetObject on ${ARCHIVE}/${KEYS}/*`,
  `s3:ListBucket on ${ARCHIVE}`,
  `s3:PutObject on ${ARCHIVE}/${KEYS}/*`,
  `secretsmanager:GetSecretValue on ${ARN("secretsmanager")}:secret:fillbook/$${TAG}-??????`,
];

describe("permissions", () => {
  test("are these and no others", () => {
    expect(allowed()).toEqual({
      JobRole93F563EA: [
        "logs:CreateLogStream on Arn(JobLogBF0312D3)",
        "logs:PutLogEvents on Arn(JobLogBF0312D3)",
        `sts:AssumeRole on ${ACCOUNT_ROLE}`,
        `sts:TagSession on ${ACCOUNT_ROLE}`,
      ],
      JobAccountRoleC289F2EB: ACCOUNT,
      OnDemandRole46CD1DDD: ["lambda:InvokeFunction on Arn(JobFunction23969A7D)"],
      NightsRole5EE6C5EB: [
        "lambda:InvokeFunction on Arn(JobFunction23969A7D)",
        expect.stringMatching(/^s3:GetObject on arn:.*:s3:::.*assets.*\/[0-9a-f]{64}\.json$/),
        `states:DescribeExecution on ${ARN("states")}:execution:fillbook-nightly/Account:*`,
        `states:DescribeExecution on ${ARN("states")}:execution:fillbook-nightly:*`,
        `states:StartExecution on ${ARN("states")}:stateMachine:fillbook-nightly`,
        `states:StopExecution on ${ARN("states")}:execution:fillbook-nightly/Account:*`,
        `states:StopExecution on ${ARN("states")}:execution:fillbook-nightly:*`,
      ],
      NightlyRole954B33E9: [
        "sqs:SendMessage on Arn(NightlyDeadLetters8C4076B0)",
        "states:StartExecution on Ref(NightsMachineEBB06EB1)",
      ],
    });
  });

  test("with a key of our own add its use through S3, and nothing else", () => {
    const key = "Import(FillbookData:ExportsOutputFnGetAttArchiveKey3EF5EDE5ArnED91B387)";
    expect(allowed({ encryption: "kms" })["JobAccountRoleC289F2EB"]).toEqual(
      [...ACCOUNT, `kms:Decrypt on ${key}`, `kms:GenerateDataKey on ${key}`].sort(),
    );
    const statement = conditioned(templates({ encryption: "kms" }).job, "ArchiveKey");
    expect(JSON.stringify(statement.Condition)).toBe(
      '{"StringEquals":{"kms:ViaService":{"Fn::Join":["",["s3.",{"Ref":"AWS::Region"},".",{"Ref":"AWS::URLSuffix"}]]}}}',
    );
  });

  test("with a bucket for packs add the account's packs in it, without deleting", () => {
    expect(allowed({ packLockDays: "30" })["JobAccountRoleC289F2EB"]).toEqual(
      [
        ...ACCOUNT.filter((pair) => pair !== `s3:AbortMultipartUpload on ${ARCHIVE}/${KEYS}/packs/*`),
        `s3:AbortMultipartUpload on ${PACKS}/${KEYS}/packs/*`,
        `s3:GetObject on ${PACKS}/${KEYS}/packs/*`,
        `s3:ListBucket on ${PACKS}`,
        `s3:PutObject on ${PACKS}/${KEYS}/packs/*`,
      ].sort(),
    );
  });

  test("for a secret that existed are for its own account", () => {
    const settings = { tokenSecrets: "main=Tokenmain-a1b2c3" };
    expect(allowed(settings)["JobAccountRoleC289F2EB"]).toEqual(
      [...ACCOUNT, `secretsmanager:GetSecretValue on ${ARN("secretsmanager")}:secret:Tokenmain-a1b2c3-??????`].sort(),
    );
    expect(conditioned(templates(settings).job, "TokenOfmain").Condition).toEqual({
      StringEquals: { "aws:PrincipalTag/account": "main" },
    });
  });

  test("to list are for the account's own keys", () => {
    expect(conditioned(templates().job, "ArchiveKeys").Condition).toEqual({
      StringLike: { "s3:prefix": `${KEYS}/*` },
    });
  });

  test("come from no managed policy and no inline one", () => {
    const { data, job } = templates();
    for (const [, role] of [...resourcesOf(data, "AWS::IAM::Role"), ...resourcesOf(job, "AWS::IAM::Role")]) {
      expect(Object.keys(role.Properties)).not.toContain("ManagedPolicyArns");
      expect(Object.keys(role.Properties)).not.toContain("Policies");
    }
  });

  test("are assumed by one service each, for this account's own machines and schedule group; the account's by the function alone", () => {
    const roles = resourcesOf(templates().job, "AWS::IAM::Role").map(([id, role]) => [
      id,
      statementsOf(role).map((trust) => [trust.Action, brief(trust.Principal), conditions(trust)]),
    ]);
    const machine = (...names: string[]) => ({
      "aws:SourceAccount": "Ref(AWS::AccountId)",
      "aws:SourceArn": names.map((name) => `${ARN("states")}:stateMachine:${name}`),
    });
    expect(Object.fromEntries(roles)).toEqual({
      JobRole93F563EA: [["sts:AssumeRole", "Service(lambda.amazonaws.com)", {}]],
      JobAccountRoleC289F2EB: [
        ["sts:AssumeRole", "AWS(Arn(JobRole93F563EA))", {}],
        ["sts:TagSession", "AWS(Arn(JobRole93F563EA))", { "aws:TagKeys": ["account"] }],
      ],
      OnDemandRole46CD1DDD: [["sts:AssumeRole", "Service(states.amazonaws.com)", machine("fillbook")]],
      NightsRole5EE6C5EB: [
        ["sts:AssumeRole", "Service(states.amazonaws.com)", machine("fillbook-nightly", "fillbook-nightly/Account")],
      ],
      NightlyRole954B33E9: [
        [
          "sts:AssumeRole",
          "Service(scheduler.amazonaws.com)",
          {
            "aws:SourceAccount": "Ref(AWS::AccountId)",
            "aws:SourceArn": `${ARN("scheduler")}:schedule-group/fillbook`,
          },
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
