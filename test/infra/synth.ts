import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { addStacks } from "../../infra/stacks.ts";
import { temporaryFolder } from "../leftovers.ts";

const ROOT = join(import.meta.dirname, "../..");

interface CdkFile {
  readonly context: Readonly<Record<string, unknown>>;
}

/** The page at a domain of its own. */
export const OWN_NAME = {
  pageDomain: "books.example.com",
  pageCertificate: "arn:aws:acm:us-east-1:111122223333:certificate/1a2b3c4d",
};

/** Without these, each synthesis warns. */
const SERVICE = { accountUrl: "https://account.example.com", marketDataUrl: "https://market-data.example.com" };

/**
 * The app as `cdk synth` builds it, with the feature flags of cdk.json, in a new folder. It has no bundles
 * unless `bundle` is set.
 */
export function testApp(
  settings: Readonly<Record<string, string>> = {},
  { bundle = false, outdir = temporaryFolder() } = {},
) {
  const { context }: CdkFile = JSON.parse(readFileSync(join(ROOT, "cdk.json"), "utf8"));
  const app = new App({
    outdir,
    context: { ...context, ...SERVICE, ...settings, ...(bundle ? {} : { "aws:cdk:bundling-stacks": [] }) },
  });
  return { app, outdir, ...addStacks(app, {}) };
}

const made = new Map<string, ReturnType<typeof synthesise>>();

/**
 * The stacks' templates, with those of the page. The only account is `main`, unless the settings say otherwise. Equal
 * settings are synthesised once.
 */
export function templates(settings: Readonly<Record<string, string>> = {}) {
  const key = JSON.stringify(settings);
  const kept = made.get(key) ?? synthesise(settings);
  made.set(key, kept);
  return kept;
}

function synthesise(settings: Readonly<Record<string, string>>) {
  const { data, job, tokens, page } = testApp({ page: "on", ...settings });
  if (page === null) {
    throw new Error("the page is on, and there is no stack of it");
  }
  const [users, front] = [Template.fromStack(page.users), Template.fromStack(page.page)];
  const ofTokens = tokens.map((stack) => Template.fromStack(stack));
  return { data: Template.fromStack(data), job: Template.fromStack(job), users, page: front, tokens: ofTokens };
}

/** The stacks of the app. */
export function stacksOf({ node }: App): readonly Stack[] {
  return node.children.filter((child) => Stack.isStack(child));
}

export interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

export function resourcesOf(template: Template, type?: string): readonly (readonly [string, Resource])[] {
  const { Resources }: { Resources: Record<string, Resource> } = JSON.parse(JSON.stringify(template.toJSON()));
  return Object.entries(Resources).filter(([, resource]) => type === undefined || resource.Type === type);
}

/** A template's value as short text: `Arn(Bucket)/keys/*`, `Ref(AWS::AccountId)`, `Import(Stack:Export)`. */
export function brief(value: unknown): string {
  if (typeof value !== "object" || value === null) {
    return String(value);
  }
  const [[name, inner] = ["", undefined]] = Object.entries(value);
  if (name === "Fn::Join" && Array.isArray(inner)) {
    return inner[1].map(brief).join(inner[0]);
  }
  if (name === "Fn::GetAtt" && Array.isArray(inner)) {
    return `${inner[1]}(${inner[0]})`;
  }
  const said = typeof inner === "object" && !Array.isArray(inner) ? brief(inner) : String(inner);
  return `${name === "Fn::ImportValue" ? "Import" : name}(${said})`;
}

export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Principal?: unknown;
  readonly Condition?: unknown;
}

export function statementsOf(resource: Resource): readonly Statement[] {
  const { PolicyDocument, ResourcePolicy, AssumeRolePolicyDocument } = resource.Properties as Record<
    string,
    { readonly Statement: readonly Statement[] } | undefined
  >;
  return (PolicyDocument ?? ResourcePolicy ?? AssumeRolePolicyDocument)?.Statement ?? [];
}
