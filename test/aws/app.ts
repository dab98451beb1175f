import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { App } from "aws-cdk-lib";
import { stackSettings } from "../../infra/settings.ts";
import { addStacks } from "../../infra/stacks.ts";
import { type Resource, type Template, takeOut, withResources } from "./unknown.ts";

/*
 * The app as it is deployed to AWS, with cdk-nag's checks. Then its templates are changed so that MiniStack
 * accepts them, and so that the functions find the emulated service and Cognito's pages. The emulated service
 * uses http on loopback, which the function accepts but the settings of a deployment do not. The second
 * reading begins at once: test/job has the minute before it. Here, Cognito's pages have no domain of their
 * own.
 */

const KEY = "aws:PrincipalTag/account";
const VARIABLE = `\${${KEY}}`;

function told(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) {
    throw new Error(`${variable} is not set; test/aws/cdk.ts sets it and runs this program`);
  }
  return value;
}

const endpoint = told("AWS_ENDPOINT_URL");
const addresses = {
  FILLBOOK_ACCOUNT_URL: told("FILLBOOK_TEST_ACCOUNT_URL"),
  FILLBOOK_MARKET_DATA_URL: told("FILLBOOK_TEST_MARKET_DATA_URL"),
  FILLBOOK_SIGN_IN_URL: endpoint,
};

function atEmulator(resource: Resource): Resource {
  const environment = resource.Properties?.["Environment"] as
    | { readonly Variables: Readonly<Record<string, unknown>> }
    | undefined;
  if (resource.Type !== "AWS::Lambda::Function" || environment === undefined) {
    return resource;
  }
  const here = Object.entries(addresses).filter(([name]) => environment.Variables[name] !== undefined);
  const Variables = { ...environment.Variables, ...Object.fromEntries(here), FILLBOOK_HURRY: "1" };
  const Environment = { Variables };
  return { ...resource, Properties: { ...resource.Properties, Environment } };
}

const app = new App();
addStacks(app, process.env);
const { accounts } = stackSettings(app.node, process.env);
const taken: (readonly [string, string])[] = [];
for (const stack of app.synth().stacks) {
  const { template, taken: here } = takeOut(JSON.parse(readFileSync(stack.templateFullPath, "utf8")) as Template);
  taken.push(...[...here].map(([id, type]) => [`${stack.stackName}/${id}`, type] as const));
  const adapted = withResources(withSecretArns(template), (resource) =>
    atEmulator(withOriginHere(template, spellOut(resource, accounts), endpoint)),
  );
  // The changed template keeps the published name, which was derived from the original. In an empty bucket
  // that name is new.
  writeFileSync(stack.templateFullPath, JSON.stringify(adapted));
}
writeFileSync(told("FILLBOOK_TEST_TAKEN_OUT"), JSON.stringify(taken));

interface Origin {
  readonly DomainName: unknown;
  readonly CustomOriginConfig?: object;
}

/**
 * MiniStack's CloudFront contacts no origin under amazonaws.com (cloudfront.py, `_AWS_OWNED_HOST_SUFFIXES`).
 * Here the distribution reaches the API by another path at which MiniStack serves it. `endpoint`: the
 * emulator's https address.
 */
function withOriginHere(template: Template, resource: Resource, endpoint: string): Resource {
  const config = resource.Properties?.["DistributionConfig"] as { readonly Origins: readonly Origin[] } | undefined;
  const [api] = Object.entries(template.Resources).find(([, { Type }]) => Type === "AWS::ApiGatewayV2::Api") ?? [];
  if (resource.Type !== "AWS::CloudFront::Distribution" || config === undefined || api === undefined) {
    return resource;
  }
  const { hostname, port } = new URL(endpoint);
  const Origins = config.Origins.map((origin) => ({
    ...origin,
    DomainName: hostname,
    OriginPath: { "Fn::Sub": `/_aws/execute-api/\${${api}}/$default` },
    CustomOriginConfig: { ...origin.CustomOriginConfig, HTTPSPort: Number(port) },
  }));
  return { ...resource, Properties: { ...resource.Properties, DistributionConfig: { ...config, Origins } } };
}

interface Statement {
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly Sid?: string;
}

/**
 * MiniStack applies session tags in conditions, but does not replace policy variables (core/iam_evaluator.py
 * has no place for it), so a resource with a variable matches nothing. This function replaces each statement
 * that has the variable by one statement per account with the same effect: it contains the account's name,
 * and its condition requires a session with that tag.
 */
function spellOut(resource: Resource, accounts: readonly string[]): Resource {
  const document = resource.Properties?.["PolicyDocument"] as { readonly Statement: readonly Statement[] } | undefined;
  if (resource.Type !== "AWS::IAM::Policy" || document === undefined) {
    return resource;
  }
  const Statement = document.Statement.flatMap((statement) =>
    JSON.stringify(statement).includes(VARIABLE)
      ? accounts.map((account) => ofAccount(statement, account))
      : [statement],
  );
  return { ...resource, Properties: { ...resource.Properties, PolicyDocument: { ...document, Statement } } };
}

function ofAccount(statement: Statement, account: string): Statement {
  const spelled: Statement = JSON.parse(JSON.stringify(statement).replaceAll(VARIABLE, account));
  const equals = spelled.Condition?.["StringEquals"];
  return {
    ...spelled,
    Sid: `${spelled.Sid ?? ""}Of${account}`,
    Condition: { ...spelled.Condition, StringEquals: { ...equals, [KEY]: account } },
  };
}

/**
 * On AWS, `Ref` of a secret is its ARN. On MiniStack it is the name (provisioners.py, _sm_secret_create),
 * which matches no policy. The attribute `Id` is the ARN on both.
 */
function withSecretArns(template: Template): Template {
  let text = JSON.stringify(template);
  for (const [id, { Type }] of Object.entries(template.Resources)) {
    if (Type === "AWS::SecretsManager::Secret") {
      text = text.replaceAll(JSON.stringify({ Ref: id }), JSON.stringify({ "Fn::GetAtt": [id, "Id"] }));
    }
  }
  return JSON.parse(text);
}
