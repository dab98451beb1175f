import type { Template } from "aws-cdk-lib/assertions";
import { brief, resourcesOf, type Statement } from "./synth.ts";

/**
 * Evaluates single IAM statements, as far as these stacks need it.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
 */

/** A call as IAM sees it. */
export interface Call {
  /** e.g. `s3:GetObject` */
  readonly action: string;
  /** ARN */
  readonly resource: string;
  /** The request's condition keys. A key that the request does not have is absent. */
  readonly context: Readonly<Record<string, string>>;
}

/** The values of the templates' references in these tests: a pattern in `brief`'s text, and its value. */
export type Values = readonly (readonly [RegExp, string])[];

const AWS_VALUES: Values = [
  [/Fn::Sub\(([^()]*)\)/g, "$1"],
  [/Ref\(AWS::Partition\)/g, "aws"],
  [/(?:Ref\(|\$\{)AWS::Region[)}]/g, "eu-west-1"],
  [/(?:Ref\(|\$\{)AWS::AccountId[)}]/g, "000000000000"],
  [/Ref\(AWS::URLSuffix\)/g, "amazonaws.com"],
];

/** A template's value as text, with its references replaced by those values. */
export function resolved(value: unknown, values: Values): string {
  return [...AWS_VALUES, ...values].reduce(
    (text, [pattern, instead]) => text.replaceAll(pattern, instead),
    brief(value),
  );
}

/** The environment variables of the template's only function, with their references resolved. */
export function environmentIn(template: Template, values: Values): Readonly<Record<string, string>> {
  const [[, fn] = []] = resourcesOf(template, "AWS::Lambda::Function");
  const { Variables = {} } = (fn?.Properties["Environment"] ?? {}) as { Variables?: Readonly<Record<string, unknown>> };
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, resolved(value, values)]));
}

/** The same call with other condition keys. */
export function changed(call: Call, keys: Readonly<Record<string, string | undefined>>): Call {
  const context = Object.entries({ ...call.context, ...keys }).filter(([, value]) => value !== undefined);
  return { ...call, context: Object.fromEntries(context) as Call["context"] };
}

/** The statements of the policies attached to a role. `role` is the beginning of the role's logical id. */
export function statementsOfRole(template: Template, role: string): readonly Statement[] {
  return resourcesOf(template, "AWS::IAM::Policy").flatMap(([, { Properties }]) => {
    const { Roles, PolicyDocument } = Properties as unknown as AttachedPolicy;
    return Roles.some(({ Ref }) => Ref.startsWith(role)) ? PolicyDocument.Statement : [];
  });
}

interface AttachedPolicy {
  readonly Roles: readonly { readonly Ref: string }[];
  readonly PolicyDocument: { readonly Statement: readonly Statement[] };
}

/** `action on resource` for every pair that the statements name, with references resolved; sorted. */
export function grants(statements: readonly Statement[], values: Values): readonly string[] {
  return statements.flatMap((statement) => pairsOf(statement, values).map(named)).sort();
}

/**
 * Where the statements are not exactly what the calls need: calls that no statement matches, and pairs of `grants` that
 * match no call.
 */
export function inexact(statements: readonly Statement[], values: Values, calls: readonly Call[]) {
  const unused = statements.flatMap((statement) =>
    pairsOf(statement, values).filter((pair) => !calls.some((call) => covers(statement, pair, call, values))),
  );
  return { refused: unmatched(statements, values, calls), unused: unused.map(named) };
}

/**
 * The calls that no statement matches. For allowing statements, these calls are refused; for denying ones,
 * they are not denied.
 */
export function unmatched(statements: readonly Statement[], values: Values, calls: readonly Call[]): readonly Call[] {
  return calls.filter(
    (call) =>
      !statements.some((statement) => pairsOf(statement, values).some((pair) => covers(statement, pair, call, values))),
  );
}

interface Pair {
  readonly action: string;
  readonly resource: string;
}

function named({ action, resource }: Pair): string {
  return `${action} on ${resource}`;
}

/** A trust policy names no resource, because it applies to its own role. */
function pairsOf({ Action, Resource = "*" }: Statement, values: Values): readonly Pair[] {
  return [Action]
    .flat()
    .flatMap((action) => [Resource].flat().map((resource) => ({ action, resource: resolved(resource, values) })));
}

function covers({ Condition }: Statement, { action, resource }: Pair, call: Call, values: Values): boolean {
  return (
    isLike(call.action, action) &&
    isLike(call.resource, resource, call.context) &&
    Object.entries((Condition ?? {}) as Record<string, Record<string, unknown>>).every(([operator, keys]) =>
      Object.entries(keys).every(([key, wanted]) =>
        holds(
          operator,
          key,
          [wanted].flat().map((one) => resolved(one, values)),
          call.context,
        ),
      ),
    )
  );
}

function holds(operator: string, key: string, wanted: readonly string[], context: Call["context"]): boolean {
  const value = context[key];
  const among = (given: string) => wanted.some((pattern) => isLike(given, pattern, context));
  switch (operator) {
    case "StringEquals":
    case "StringLike":
    case "ArnEquals":
    case "ArnLike":
    case "Bool":
      return value !== undefined && among(value);
    case "StringNotEquals":
    case "ArnNotEquals":
      return value === undefined || !among(value);
    case "ForAllValues:StringEquals":
      return (value ?? "").split(",").every((one) => one === "" || among(one));
    case "NumericLessThan":
      return value !== undefined && wanted.some((limit) => Number(value) < Number(limit));
    case "NumericGreaterThan":
      return value !== undefined && wanted.some((limit) => Number(value) > Number(limit));
    case "Null":
      return wanted.includes(String(value === undefined));
    default:
      throw new Error(`the condition operator ${operator} is not known here`);
  }
}

/** Matches a pattern with `*`, `?` and variables. A variable without a value matches nothing. */
function isLike(text: string, pattern: string, context: Call["context"] = {}): boolean {
  let isWhole = true;
  const filled = pattern.replaceAll(/\$\{([^}]+)\}/g, (_, key: string) => {
    isWhole &&= context[key] !== undefined;
    return context[key] ?? "";
  });
  const source = filled
    .replaceAll(/[.+^$(){}|[\]\\]/g, String.raw`\$&`)
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return isWhole && new RegExp(`^${source}$`, "s").test(text);
}
