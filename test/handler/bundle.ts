import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { testApp } from "../infra/synth.ts";
import { temporaryFolder } from "../leftovers.ts";

/** Copies the function's deployed code into a new folder, which holds nothing else. */
export function bundleFolder(stack: "FillbookJob" | "FillbookPage" = "FillbookJob"): string {
  const { app, outdir } = testApp(stack === "FillbookPage" ? { page: "on" } : {}, { bundle: true });
  app.synth();
  const folder = temporaryFolder();
  cpSync(join(outdir, assetOf(join(outdir, `${stack}.template.json`))), folder, { recursive: true });
  return folder;
}

interface Template {
  readonly Resources: Readonly<
    Record<
      string,
      {
        readonly Type: string;
        readonly Properties: { readonly Handler?: string; readonly Code?: { readonly S3Key?: string } };
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
