import { isDeepStrictEqual } from "node:util";
import type { Template, Templates } from "./assembly.ts";

/** A value that a stack would stop exporting, or export with another value, while other stacks import it. */
export interface ExportInUse {
  readonly exporter: string;
  /** The export's name in the AWS account. */
  readonly name: string;
  /** The importing stacks, as they are deployed now. */
  readonly importers: readonly string[];
}

/**
 * Finds the export changes that CloudFormation would refuse. It updates a stack before the stacks that import
 * from it, and an export that is in use must keep its value.
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

/** Exported values by name, as the template writes them. */
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
