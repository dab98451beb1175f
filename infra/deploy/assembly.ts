import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The parts of a CloudFormation template that the deployment checks read. */
export interface Template {
  readonly Resources?: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, Output>>;
}

export interface Output {
  readonly Value?: unknown;
  readonly Export?: { readonly Name: string };
}

export interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** Templates by stack name. */
export type Templates = ReadonlyMap<string, Template>;

export function resourcesOf(template: Template | undefined, type?: string): readonly (readonly [string, Resource])[] {
  const resources = Object.entries(template?.Resources ?? {});
  return type === undefined ? resources : resources.filter(([, resource]) => resource.Type === type);
}

/** What `cdk synth` wrote. */
export interface Assembly {
  readonly templates: Templates;
  /** The newest bootstrap version that any of the stacks requires. */
  readonly bootstrapVersion: number;
}

interface Artifact {
  readonly type: string;
  readonly properties?: {
    readonly templateFile?: string;
    readonly stackName?: string;
    readonly requiresBootstrapStackVersion?: number;
  };
}

/** https://github.com/aws/aws-cdk-cli/tree/main/packages/%40aws-cdk/cloud-assembly-schema */
export function readAssembly(dir: string): Assembly {
  const { artifacts }: { artifacts: Readonly<Record<string, Artifact>> } = read(dir, "manifest.json");
  const stacks = Object.entries(artifacts).filter(([, { type }]) => type === "aws:cloudformation:stack");
  return {
    templates: new Map(
      stacks.map(([id, { properties = {} }]) => [
        properties.stackName ?? id,
        read<Template>(dir, properties.templateFile ?? `${id}.template.json`),
      ]),
    ),
    bootstrapVersion: Math.max(
      0,
      ...stacks.map(([, { properties }]) => properties?.requiresBootstrapStackVersion ?? 0),
    ),
  };
}

function read<T>(dir: string, file: string): T {
  return JSON.parse(readFileSync(join(dir, file), "utf8"));
}
