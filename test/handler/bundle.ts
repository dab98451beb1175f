import { cpSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testApp } from "../infra/synth.ts";

/**
 * Copies the function's deployed code into a new folder, which holds nothing else. The caller removes the
 * folder.
 */
export function bundleFolder(stack: "FillbookJob" | "FillbookPage" = "FillbookJob"): string {
  return synthesised(stack, stack === "FillbookPage" ? { page: "on" } : {}).folder;
}

/** The same, with the container in which a task runs the code. */
export function taskBundle(): { readonly folder: string; readonly container: Container } {
  const { folder, template } = synthesised("FillbookJob", { largePacks: "on" });
  const definitions = Object.values(template.Resources).filter(({ Type }) => Type === "AWS::ECS::TaskDefinition");
  const [container] = definitions.flatMap(({ Properties: { ContainerDefinitions = [] } }) => ContainerDefinitions);
  if (container === undefined) {
    throw new Error("there is no container");
  }
  return { folder, container };
}

function synthesised(stack: string, settings: Readonly<Record<string, string>>) {
  const { app, outdir } = testApp(settings, { bundle: true });
  app.synth();
  const folder = mkdtempSync(join(tmpdir(), "fillbook-lambda-"));
  const path = join(outdir, `${stack}.template.json`);
  cpSync(join(outdir, assetOf(path)), folder, { recursive: true });
  const template: Template = JSON.parse(readFileSync(path, "utf8"));
  return { folder, template };
}

export interface Container {
  readonly EntryPoint: readonly string[];
  readonly Command: readonly string[];
  /** Some values are CloudFormation expressions. */
  readonly Environment: readonly { readonly Name: string; readonly Value: unknown }[];
}

interface Template {
  readonly Resources: Readonly<
    Record<
      string,
      {
        readonly Type: string;
        readonly Properties: {
          readonly Handler?: string;
          readonly Code?: { readonly S3Key?: string };
          readonly ContainerDefinitions?: readonly Container[];
        };
      }
    >
  >;
}

/** The asset of the stack's only function of our own; the CDK's own functions have other handlers. */
function assetOf(template: string): string {
  const { Resources }: Template = JSON.parse(readFileSync(template, "utf8"));
  const keys = Object.values(Resources).flatMap(({ Type, Properties: { Handler, Code } }) =>
    Type === "AWS::Lambda::Function" && Handler === "index.handler" ? [Code?.S3Key ?? ""] : [],
  );
  const [key] = keys;
  if (key === undefined || keys.length > 1) {
    throw new Error(`${template} has ${keys.length} functions`);
  }
  return `asset.${key.replace(".zip", "")}`;
}
