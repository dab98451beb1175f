import type { Resource } from "./template.ts";

const KEY = "aws:PrincipalTag/account";
const VARIABLE = `\${${KEY}}`;

interface Statement {
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly Sid?: string;
}

/**
 * MiniStack holds itself to session tags as conditions, but leaves policy variables as they are
 * (core/iam_evaluator.py has no place where they would be replaced), so that a resource with one matches
 * nothing. Here each statement with the variable becomes one for each account, which says the same: the
 * account's name in the variable's place, on the condition that the session is tagged with it.
 */
export function spellOut(resource: Resource, accounts: readonly string[]): Resource {
  const document = resource.Properties?.["PolicyDocument"] as { readonly Statement: readonly Statement[] } | undefined;
  if (resource.Type !== "AWS::IAM::Policy" || document === undefined) {
    return resource;
  }
  const Statement = document.Statement.flatMap((statement) =>
    JSON.stringify(statement).includes(VARIABLE)
      ? accounts.map((account) => ofAccount(statement, account))
      : [statement],
  );
  return { ...resource, Properties: { ...resource.Properties, PolicyDocument: { ...document, Statement } } };
}

function ofAccount(statement: Statement, account: string): Statement {
  const spelled: Statement = JSON.parse(JSON.stringify(statement).replaceAll(VARIABLE, account));
  const equals = spelled.Condition?.["StringEquals"];
  return {
    ...spelled,
    Sid: `${spelled.Sid ?? ""}Of${account}`,
    Condition: { ...spelled.Condition, StringEquals: { ...equals, [KEY]: account } },
  };
}
