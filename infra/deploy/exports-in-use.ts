import { isDeepStrictEqual } from "node:util";
import type { Template, Templates } from "./assembly.ts";

/** A value that a stack would no longer export, or export with another value, while other stacks import it. */
export interface ExportInUse {
  readonly exporter: string;
  /** As the AWS account knows it. */
  readonly name: string;
  /** Stacks, as they are deployed now. */
  readonly importers: readonly string[];
}

/**
 * What CloudFormation would refuse: a stack is updated before those that import from it, and an export that one of them uses must stay as it is.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-cfn-stack-exports.html
 */
export function exportsInUse(deployed: Templates, next: Templates): readonly ExportInUse[] {
  const importers = new Map<string, string[]>();
  for (const [stack, template] of deployed) {
    for (const name of importsOf(template)) {
      importers.set(name, [...(importers.get(name) ?? []), stack]);
    }
  }
  return [...next].flatMap(([exporter, template]) => {
    const after = exportsOf(template);
    return [...exportsOf(deployed.get(exporter) ?? {})]
      .filter(([name, value]) => !isDeepStrictEqual(after.get(name), value))
      .flatMap(([name]) => {
        const users = importers.get(name) ?? [];
        return users.length === 0 ? [] : [{ exporter, name, importers: users }];
      });
  });
}

/** Values, as the template writes them, by name. */
function exportsOf({ Outputs = {} }: Template): ReadonlyMap<string, unknown> {
  return new Map(
    Object.values(Outputs).flatMap(({ Value, Export }) =>
      Export === undefined ? [] : [[Export.Name, Value] as const],
    ),
  );
}

function importsOf(template: Template): ReadonlySet<string> {
  return new Set([...JSON.stringify(template).matchAll(/"Fn::ImportValue":"([^"]+)"/g)].map(([, name = ""]) => name));
}
