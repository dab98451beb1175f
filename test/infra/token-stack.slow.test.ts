import { describe, expect, test } from "vitest";
import { resourcesOf, templates, testApp } from "./synth.ts";

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
