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

/**
 * A kind of resource that MiniStack's CloudFormation refuses. A template with it cannot be deployed there.
 */
export interface Unknown {
  /** The CloudFormation type. */
  readonly type: string;
  /** Which resources of the type are meant; absent: all. */
  readonly isMeant?: (resource: Resource) => boolean;
}

/**
 * These are removed only for the deployment on the emulator. A test asserts that each is still in the
 * templates.
 */
export const UNKNOWN: readonly Unknown[] = [
  { type: "AWS::SecretsManager::ResourcePolicy" },
  { type: "AWS::Cognito::ManagedLoginBranding" },
  // Alarms on an expression over metrics.
  { type: "AWS::CloudWatch::Alarm", isMeant: ({ Properties }) => Properties?.["Metrics"] !== undefined },
];

/** The template without these resources, and the removed ones: logical id and type. */
export function takeOut(template: Template) {
  const isUnknown = (resource: Resource) =>
    UNKNOWN.some(({ type, isMeant }) => resource.Type === type && isMeant?.(resource) !== false);
  const resources = Object.entries(template.Resources);
  const taken = new Map(resources.flatMap(([id, resource]) => (isUnknown(resource) ? [[id, resource.Type]] : [])));
  const kept = resources
    .filter(([id]) => !taken.has(id))
    .map(([id, resource]) => [id, withoutDependence(resource, taken)] as const);
  return { template: { ...template, Resources: Object.fromEntries(kept) }, taken };
}

function withoutDependence(resource: Resource, taken: ReadonlyMap<string, string>): Resource {
  const { DependsOn: before, ...rest } = resource;
  const after = [before ?? []].flat().filter((id) => !taken.has(id));
  return after.length === 0 ? rest : { ...rest, DependsOn: after };
}
