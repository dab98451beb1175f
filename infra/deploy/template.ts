/** CloudFormation's templates, as far as a deployment is judged by them. */
export interface Template {
  readonly Resources?: Readonly<Record<string, Resource>>;
}

export interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** By stack. */
export type Templates = ReadonlyMap<string, Template>;

export function resourcesOf(template: Template | undefined, type?: string): readonly (readonly [string, Resource])[] {
  const resources = Object.entries(template?.Resources ?? {});
  return type === undefined ? resources : resources.filter(([, resource]) => resource.Type === type);
}
