import { CreateStackCommand, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { type Clients, until } from "./cloud.ts";
import type { Unknown } from "./unknown.ts";

/** Whether a stack of one such resource cannot be made: the template is turned away, or the resource fails and all is rolled back. */
export async function isRefused({ formation }: Clients, { type, example = {} }: Unknown): Promise<boolean> {
  const name = `probe-${type.replaceAll("::", "-")}`;
  const template = JSON.stringify({ Resources: { It: { Type: type, Properties: example } } });
  try {
    await formation.send(new CreateStackCommand({ StackName: name, TemplateBody: template }));
  } catch (error) {
    return error instanceof Error && /Unrecognized resource types/.test(error.message);
  }
  const status = await until(`the end of ${name}`, 30_000, async () => {
    const { Stacks: stacks } = await formation.send(new DescribeStacksCommand({ StackName: name }));
    const { StackStatus: found = "" } = stacks?.[0] ?? {};
    return found.endsWith("_IN_PROGRESS") ? null : found;
  });
  return status !== "CREATE_COMPLETE";
}
