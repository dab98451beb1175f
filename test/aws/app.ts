import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { App } from "aws-cdk-lib";
import { stackSettings } from "../../infra/settings.ts";
import { addStacks } from "../../infra/stacks.ts";
import { withOriginHere } from "./page-origin.ts";
import { spellOut } from "./policy-variables.ts";
import { withSecretArns } from "./secret-arns.ts";
import { type Resource, type Template, withResources } from "./template.ts";
import { takeOut } from "./unknown.ts";

/*
 * The app as it is deployed to AWS, with cdk-nag's checks. Then its templates are changed so that MiniStack
 * accepts them, and so that the functions find the emulated service and Cognito's pages. The emulated service
 * uses http on loopback, which the function accepts but the settings of a deployment do not. The second
 * reading begins at once: test/job has the minute before it. Here, Cognito's pages have no domain of their
 * own.
 */

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
