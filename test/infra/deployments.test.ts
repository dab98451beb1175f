import { App } from "aws-cdk-lib";
import { describe, expect, test } from "vitest";
import { type Resource, resourcesOf, type Template } from "../../infra/deploy/assembly.ts";
import { TAGGED_ACCOUNT } from "../../infra/names.ts";
import { stackSettings } from "../../infra/settings.ts";
import { type Call, resolved, unmatched, type Values } from "./policy.ts";
import { allTemplates, type Statement } from "./synth.ts";

const EVERYTHING = {
  page: "on",
  encryption: "kms",
  packLockDays: "30",
  alarmEmail: "ops@example.com",
  prefix: "books",
};

/**
 * For each resource type whose name is unique in an AWS account, or which people look up by name: the
 * property that holds the name, and the name's maximum length as the service documents it.
 */
const NAMES: Readonly<Record<string, readonly [path: string, most: number]>> = {
  "AWS::ApiGatewayV2::Api": ["Name", 128],
  "AWS::Athena::WorkGroup": ["Name", 128],
  "AWS::CloudFront::Function": ["Name", 64],
  "AWS::CloudFront::ResponseHeadersPolicy": ["ResponseHeadersPolicyConfig.Name", 128],
  "AWS::CloudWatch::Alarm": ["AlarmName", 255],
  "AWS::CloudWatch::Dashboard": ["DashboardName", 255],
  "AWS::Cognito::UserPool": ["UserPoolName", 128],
  "AWS::Cognito::UserPoolDomain": ["Domain", 63],
  "AWS::Glue::Database": ["DatabaseName", 255],
  "AWS::IAM::Role": ["RoleName", 64],
  "AWS::Logs::QueryDefinition": ["Name", 255],
  "AWS::SNS::Topic": ["DisplayName", 100],
  "AWS::Scheduler::ScheduleGroup": ["Name", 64],
  "AWS::SecretsManager::Secret": ["Name", 512],
  "AWS::StepFunctions::StateMachine": ["StateMachineName", 80],
};

/** Names that are local to another named resource, and references to such a resource. */
const INSIDE = new Set([
  "AWS::ApiGatewayV2::Authorizer.Name",
  "AWS::ApiGatewayV2::Stage.StageName",
  "AWS::Athena::NamedQuery.Name",
  "AWS::CloudWatch::Alarm.MetricName",
  "AWS::Cognito::UserPoolGroup.GroupName",
  "AWS::Glue::Table.DatabaseName",
  "AWS::IAM::Policy.PolicyName",
  "AWS::Lambda::EventInvokeConfig.FunctionName",
  "AWS::Lambda::Permission.FunctionName",
  "AWS::Logs::MetricFilter.LogGroupName",
  "AWS::Scheduler::Schedule.GroupName",
]);

/**
 * Each deployment has an account of its own besides the common one, because equal lists of accounts would be
 * one object in the CDK's bucket.
 */
function accountsOf(name: string | null): readonly [string, string] {
  return ["main", name === null ? "second" : `of-${name}`.slice(0, 32)];
}

function deployment(name: string | null): ReadonlyMap<string, Template> {
  const accounts = accountsOf(name).join();
  return allTemplates({ ...EVERYTHING, accounts, ...(name === null ? {} : { deployment: name }) });
}

function all(name: string | null): readonly (readonly [stack: string, id: string, resource: Resource])[] {
  return [...deployment(name)].flatMap(([stack, template]) =>
    resourcesOf(template).map(([id, resource]) => [stack, id, resource] as const),
  );
}

/** `type name`, with the longest region name that AWS has. */
function physicalNames(name: string | null): readonly (readonly [type: string, name: string])[] {
  return all(name).flatMap(([, , { Type: type, Properties = {} }]) => {
    const [path] = NAMES[type] ?? [];
    const value = path?.split(".").reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], Properties);
    return value === undefined ? [] : [[type, resolved(value, []).replaceAll("eu-west-1", "us-isof-south-1")] as const];
  });
}

const listed = (name: string | null) => physicalNames(name).map(([type, one]) => `${type} ${one}`);

describe("a deployment with the default name", () => {
  test("keeps its resources' names", () => {
    expect([...deployment(null).keys()].sort()).toEqual([
      "FillbookData",
      "FillbookJob",
      "FillbookPage",
      "FillbookTable",
      "FillbookTables-0",
      "FillbookTables-1",
      "FillbookTokens-0",
      "FillbookTokens-1",
      "FillbookUsers",
    ]);
    expect(
      listed(null)
        .filter((name) => !/::Alarm |::QueryDefinition /.test(name))
        .sort(),
    ).toEqual([
      "AWS::ApiGatewayV2::Api fillbook-page",
      "AWS::Athena::WorkGroup fillbook",
      "AWS::CloudFront::Function us-isof-south-1FillbookPageFrontViewerRequest5B191006",
      "AWS::CloudFront::ResponseHeadersPolicy fillbook-page-us-isof-south-1",
      "AWS::CloudWatch::Dashboard fillbook-us-isof-south-1",
      "AWS::Cognito::UserPool fillbook",
      "AWS::Cognito::UserPoolDomain fillbook-000000000000",
      "AWS::Glue::Database fillbook",
      "AWS::IAM::Role fillbook-account-us-isof-south-1",
      "AWS::IAM::Role fillbook-page-us-isof-south-1",
      "AWS::SNS::Topic fillbook",
      "AWS::Scheduler::ScheduleGroup fillbook",
      "AWS::SecretsManager::Secret fillbook/main",
      "AWS::SecretsManager::Secret fillbook/second",
      "AWS::StepFunctions::StateMachine fillbook",
      "AWS::StepFunctions::StateMachine fillbook-nightly",
    ]);
    const others = listed(null).filter((name) => /::Alarm |::QueryDefinition /.test(name));
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter((name) => !/ fillbook(?:: [A-Z]|\/[a-z])/.test(name))).toEqual([]);
    // Other stacks refer to these exports by name.
    const exported = [...exportsOf(null)].filter((name) => name.includes("ArchiveBucket"));
    expect(exported.sort()).toEqual([
      "FillbookData:ExportsOutputFnGetAttArchiveBucket49F1AC64Arn3FBD647E",
      "FillbookData:ExportsOutputRefArchiveBucket49F1AC64975B769B",
    ]);
  });
});

function exportsOf(name: string | null): ReadonlySet<string> {
  const outputs = [...deployment(name).values()].flatMap(({ Outputs = {} }) => Object.values(Outputs));
  return new Set(outputs.flatMap(({ Export }) => Export?.Name ?? []));
}

test("this test knows every name in the templates: it contains the deployment's name, or it is local to a named resource", () => {
  const found = all("elsewhere").flatMap(([, , { Type, Properties = {} }]) =>
    Object.keys(Properties).flatMap((key) => (/Name$|^Domain$/.test(key) ? [`${Type}.${key}`] : [])),
  );
  const named = Object.entries(NAMES).map(([type, [path]]) => `${type}.${path}`);
  const known = new Set([...named, ...INSIDE, "AWS::CloudFront::ResponseHeadersPolicy.ResponseHeadersPolicyConfig"]);
  expect(found.length).toBeGreaterThan(40);
  expect(found.filter((name) => !known.has(name))).toEqual([]);
});

test("only texts for people contain the default name in another deployment", () => {
  const texts = [...deployment("elsewhere")].flatMap(([stack, { Resources, Outputs }]) =>
    textsOf([{ stack, Resources, Outputs }], ""),
  );
  expect(texts.length).toBeGreaterThan(500);
  // Keys whose texts may name the program itself: CloudFront's function contains the cookie's name, and a
  // statement may name the program.
  const isOwn = (key: string) => /Description|Comment|^Email(?:Message|Subject)$|^FunctionCode$|^Sid$/.test(key);
  const said = texts.filter(([key]) => !isOwn(key)).map(([, text]) => text.replaceAll('"Comment":"fillbook: ', ""));
  expect(said.filter((text) => /fillbook/i.test(text))).toEqual([]);
});

/** All texts in a value, each with its key, or with the key of the list that contains it. */
function textsOf(value: unknown, key: string): readonly (readonly [key: string, text: string])[] {
  if (typeof value !== "object" || value === null) {
    return [[key, String(value)]];
  }
  return Object.entries(value).flatMap(([inner, one]) => textsOf(one, Array.isArray(value) ? key : inner));
}

describe.each([
  ["fillbook", "fillbook-staging"],
  ["fillbook", "fillbook-account"],
  ["fillbook-page", "fillbook"],
])("deployments %s and %s in one AWS account and region", (left, right) => {
  test("share no stack, name or export, and import only from their own stacks", () => {
    const [own, other] = [new Set([...listed(left), ...deployment(left).keys()]), deployment(right)];
    expect([...listed(right), ...other.keys()].filter((name) => own.has(name))).toEqual([]);
    expect([...exportsOf(right)].filter((name) => exportsOf(left).has(name))).toEqual([]);
    const imported = [...JSON.stringify([...other]).matchAll(/"Fn::ImportValue":"([^":]+):/g)];
    expect(imported.length).toBeGreaterThan(10);
    expect(imported.filter(([, stack = ""]) => !other.has(stack))).toEqual([]);
  });

  test.each([
    [left, right],
    [right, left],
  ])("no role of %s may do what a role of %s may", (one, another) => {
    const [own, theirs] = [grantsOf(one), grantsOf(another)];
    expect(own.calls.length).toBeGreaterThan(40);
    expect(unmatched(own.statements, [], own.calls)).toEqual([]); // a call that nobody may make would prove nothing
    expect(unmatched(theirs.statements, [], own.calls)).toEqual(own.calls);
  });

  test("no machine, schedule or function of one assumes a role of the other, and no role reads a token of the other", () => {
    const trusted = (name: string) =>
      all(name).flatMap(([stack, , { Type, Properties = {} }]) =>
        Type === "AWS::IAM::Role" ? trustOf(Properties["AssumeRolePolicyDocument"], stack) : [],
      );
    expect(trusted(left).length).toBeGreaterThan(5);
    expect(trusted(right).filter((name) => trusted(left).includes(name))).toEqual([]);
    for (const [name, foreign] of [
      [left, right],
      [right, left],
    ] as const) {
      for (const [, , { Properties = {} }] of all(name).filter(([, , { Type }]) => Type.endsWith("::ResourcePolicy"))) {
        const { Statement: statements } = Properties["ResourcePolicy"] as { readonly Statement: readonly Statement[] };
        const read = (role: string, account: string): Call => ({
          action: "secretsmanager:GetSecretValue",
          resource: "*",
          context: {
            "aws:PrincipalArn": `arn:aws:iam::000000000000:role/${role}-account-eu-west-1`,
            "aws:PrincipalTag/account": account,
          },
        });
        const accounts = accountsOf(name);
        // These statements deny. They match every call but one: that of the deployment's own role for the
        // secret's account.
        expect(
          unmatched(
            statements,
            [],
            accounts.map((account) => read(name, account)),
          ),
        ).toHaveLength(1);
        expect(
          unmatched(
            statements,
            [],
            accounts.map((account) => read(foreign, account)),
          ),
        ).toEqual([]);
      }
    }
  });
});

/** Values for the references in a stack's policies. Each value is unique to its stack. */
function valuesOf(stack: string): Values {
  return [
    [/Import\(([^()]+)\)/g, "arn:import:$1"],
    [/(?:Arn|Ref)\((\w+)\)/g, `arn:of:${stack}:$1`],
  ];
}

/**
 * Everything that the policies of a deployment's roles allow, without conditions, and one allowed call for
 * each of them.
 */
function grantsOf(name: string): { readonly statements: readonly Statement[]; readonly calls: readonly Call[] } {
  const statements = all(name).flatMap(([stack, , { Type, Properties = {} }]) => {
    const { Statement: found } = (Properties["PolicyDocument"] ?? {}) as { readonly Statement?: readonly Statement[] };
    return Type === "AWS::IAM::Policy"
      ? (found ?? []).map((statement) => ({
          Effect: statement.Effect,
          Action: statement.Action,
          Resource: [statement.Resource].flat().map((resource) => resolved(resource, valuesOf(stack))),
        }))
      : [];
  });
  const context = { "aws:PrincipalTag/account": "main" };
  const calls = statements.flatMap(({ Action, Resource }) =>
    [Action].flat().flatMap((action) =>
      Resource.map((resource) => ({
        action,
        resource: resource.replaceAll(TAGGED_ACCOUNT, "main").replaceAll("*", "x").replaceAll("?", "A"),
        context,
      })),
    ),
  );
  return { statements, calls };
}

/** Who may assume a role; for services, also for which resources. */
function trustOf(document: unknown, stack: string): readonly string[] {
  const { Statement: statements } = document as { readonly Statement: readonly Statement[] };
  return statements.flatMap(({ Principal, Condition }) => {
    const { ArnEquals, StringEquals } = (Condition ?? {}) as Record<string, Record<string, unknown> | undefined>;
    const sources = [ArnEquals?.["aws:SourceArn"] ?? StringEquals?.["aws:SourceArn"] ?? []].flat();
    const who = resolved(Principal, valuesOf(stack));
    if (who === "Service(lambda.amazonaws.com)") {
      return []; // a function gets its role at deployment, from a person who may pass it
    }
    return sources.length === 0 ? [who] : sources.map((source) => `${who} ${resolved(source, valuesOf(stack))}`);
  });
}

describe("the name of a deployment", () => {
  const read = (name: string) => stackSettings(new App({ context: { deployment: name } }).node, {}).names;

  test("is limited so that no resource's name is too long in any region", () => {
    const longest = "a".repeat(40);
    expect(physicalNames(longest).length).toBeGreaterThan(30);
    expect(physicalNames(longest).filter(([type, name]) => name.length > (NAMES[type]?.[1] ?? 0))).toEqual([]);
    expect(Math.max(...[...deployment(longest).keys()].map((stack) => stack.length))).toBeLessThanOrEqual(128);
    expect(read(longest).accountRole).toContain(longest);
    // With one more letter, a role's name would have 65.
    expect(`${longest}a-account-us-isof-south-1`).toHaveLength(65);
    expect(() => read(`${longest}a`)).toThrow(
      /at most 40 letters: the names of roles begin with it, and have 64 at most/,
    );
  });

  test.each([
    ["a-b", "ABData", "a_b"],
    ["ab", "AbData", "ab"],
    ["fillbook-staging2", "FillbookStaging2Data", "fillbook_staging2"],
  ])("%s makes the stack %s and the database %s", (name, dataStack, database) => {
    expect(read(name)).toMatchObject({ dataStack, database });
  });

  test("identifies its own stacks, and not those of a deployment whose name begins with its name", () => {
    const { isOwnStack } = read("fillbook");
    const known = ["FillbookData", "FillbookJob", "FillbookTable", "FillbookUsers", "FillbookPage", "FillbookTokens-f"];
    expect(known.filter(isOwnStack)).toEqual(known);
    const foreign = [
      "FillbookStagingData",
      "FillbookDataData",
      "FillbookTokens-g",
      "FillbookTokensData",
      "MyFillbookData",
    ];
    expect(foreign.filter(isOwnStack)).toEqual([]);
  });

  test.each([
    ["", /setting deployment is "", but must be words/],
    ["Fillbook", /must be words/],
    ["fill_book", /must be words/],
    ["fill--book", /must be words/],
    ["-fillbook", /must be words/],
    ["fillbook-", /must be words/],
    ["fillbook-2", /each beginning with a letter/],
    ["fillbook/x", /must be words/],
    ["fillbook-nightly", /does not end in -nightly: the nightly state machine of another deployment/],
    ["my-aws-books", /without aws, amazon or cognito/],
  ])("may not be %j", (name, message) => {
    expect(() => stackSettings(new App().node, { FILLBOOK_DEPLOYMENT: name })).toThrow(message);
  });
});
