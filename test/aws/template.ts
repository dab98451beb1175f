/** The parts of a CloudFormation template that are adapted here. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly [section: string]: unknown;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly DependsOn?: string | readonly string[];
}

/** The template with each resource replaced by the result of `change`. */
export function withResources(template: Template, change: (resource: Resource) => Resource): Template {
  const changed = Object.entries(template.Resources).map(([id, resource]) => [id, change(resource)] as const);
  return { ...template, Resources: Object.fromEntries(changed) };
}
