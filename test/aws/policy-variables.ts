import type { Resource } from "./template.ts";

const KEY = "aws:PrincipalTag/account";
const VARIABLE = `\${${KEY}}`;

interface Statement {
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly Sid?: string;
}

/**
 * MiniStack applies session tags in conditions, but does not replace policy variables (core/iam_evaluator.py
 * has no place for it), so a resource with a variable matches nothing. This function replaces each statement
 * that has the variable by one statement per account with the same effect: it contains the account's name,
 * and its condition requires a session with that tag.
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
