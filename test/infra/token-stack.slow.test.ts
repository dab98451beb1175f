import { describe, expect, test } from "vitest";
import { brief, resourcesOf, statementsOf, templates, testApp } from "./synth.ts";

function secretsOf(settings: Readonly<Record<string, string>> = {}) {
  return templates(settings).tokens.flatMap((template) => resourcesOf(template, "AWS::SecretsManager::Secret"));
}

describe("the tokens", () => {
  test("are not in the template: the secret is empty and has its account's name", () => {
    expect(secretsOf({ accounts: "main,second" }).map(([, { Properties }]) => Properties)).toEqual(
      ["main", "second"].map((account) => ({
        Name: `fillbook/${account}`,
        Description: expect.stringContaining(account),
      })),
    );
  });

  test("are denied to everybody except a session of the account's role for that account", () => {
    const [policy] = templates().tokens.flatMap((template) =>
      resourcesOf(template, "AWS::SecretsManager::ResourcePolicy"),
    );
    const statements = policy === undefined ? [] : statementsOf(policy[1]);
    expect(statements.map(({ Effect, Action, Principal }) => [Effect, Action, brief(Principal)])).toEqual([
      ["Deny", "secretsmanager:GetSecretValue", "AWS(*)"],
      ["Deny", "secretsmanager:GetSecretValue", "AWS(*)"],
    ]);
    const [role, tag] = statements.map(({ Condition }) => Condition as Record<string, Record<string, unknown>>);
    expect(brief(role?.["ArnNotEquals"]?.["aws:PrincipalArn"])).toBe(
      "arn:Ref(AWS::Partition):iam::Ref(AWS::AccountId):role/fillbook-account-Ref(AWS::Region)",
    );
    expect(tag).toEqual({ StringNotEquals: { "aws:PrincipalTag/account": "main" } });
  });

  test("never move to another stack when accounts come and go", () => {
    const stackOf = (accounts: string) =>
      Object.fromEntries(
        testApp({ accounts }).tokens.flatMap((stack) =>
          stack.node.children
            .filter(({ node }) => node.id.startsWith("Token-"))
            .map(({ node }) => [node.id, stack.stackName]),
        ),
      );
    const before = stackOf("a,b,c,d,e,f,g,h");
    expect(Object.keys(before)).toHaveLength(8);
    expect(stackOf("new,h,f,d,b")).toMatchObject(
      Object.fromEntries(Object.entries(before).filter(([id]) => /[bdfh]$/.test(id))),
    );
  });

  test("of accounts with an existing secret stay in that secret", () => {
    expect(secretsOf({ accounts: "main,second", tokenSecrets: "main=Tokenmain-a1b2c3" }).map(([id]) => id)).toEqual([
      expect.stringMatching(/^Tokensecond/),
    ]);
  });
});
