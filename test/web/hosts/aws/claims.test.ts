import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { userOf } from "../../../../lambda/web/hosts/aws/claims.ts";

const ACCOUNTS = ["main", "other", "a", "*", "", "main accountant:other", "__proto__"];

function rolesOf(groups: unknown, more: Readonly<Record<string, unknown>> = {}) {
  const user = userOf({ token_use: "access", username: "ann", "cognito:groups": groups, ...more });
  if (typeof user === "string") {
    throw new Error(user);
  }
  return Object.fromEntries(
    ACCOUNTS.flatMap((account) => {
      const role = user.roleIn(account);
      return role === null ? [] : [[account, role]];
    }),
  );
}

describe("a user's roles, from the groups of the token", () => {
  test.each<[unknown, Readonly<Record<string, string>>]>([
    ["[accountant:main]", { main: "accountant" }],
    ["[accountant:main operator:main]", { main: "operator" }],
    [["accountant:main", "operator:other"], { main: "accountant", other: "operator" }],
    ["[staff accountant:main Admins]", { main: "accountant" }],
  ])("%j", (groups, roles) => {
    expect(rolesOf(groups)).toEqual(roles);
  });

  test("a star means every account; an operator group for one account adds to it", () => {
    const everywhere = Object.fromEntries(ACCOUNTS.map((account) => [account, "accountant"]));
    expect(rolesOf("[accountant:*]")).toEqual(everywhere);
    expect(rolesOf("[accountant:* operator:main]")).toEqual({ ...everywhere, main: "operator" });
    expect(rolesOf("[operator:* accountant:main]")).toEqual(
      Object.fromEntries(ACCOUNTS.map((account) => [account, "operator"])),
    );
  });

  test.each([
    undefined,
    null,
    "",
    "[]",
    "accountant:main",
    "[accountant:main",
    '["accountant:main"]',
    "[accountant:main,operator:main]",
    "[Accountant:main]",
    "[accountant:Main]",
    "[accountant:main\toperator:main]",
    "[accountant:ma*]",
    "[accountant:main2]",
    `[accountant:${"a".repeat(33)}]`,
    ["[accountant:main]"],
    { "accountant:main": true },
    true,
  ])("%j gives no role", (groups) => {
    const roles = rolesOf(groups);
    expect(roles).toEqual({});
  });
});

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ["without claims", {}, "the token is not an access token"],
  ["of an identity token", { token_use: "id", username: "ann" }, "the token is not an access token"],
  ["without a name", { token_use: "access" }, "the token names no user"],
  ["with the name in another claim", { token_use: "access", "cognito:username": "ann" }, "the token names no user"],
])("no user comes from claims: %s", (_, claims, why) => {
  expect(userOf(claims)).toBe(why);
});

test("reading any claims does not throw, and gives only roles that a group names", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom("accountant:other", "operator:", "x", " ", "[", "]", "*", "accountant:", "ma in"), {
        maxLength: 6,
      })
      .map((parts) => `[${parts.join(" ")}]`),
  );
  const claims = fc.record(
    {
      token_use: fc.oneof(fc.constant("access"), fc.anything()),
      username: fc.oneof(fc.constant("ann"), fc.anything()),
      "cognito:groups": fc.oneof(text, fc.anything()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(claims, (given) => {
      const user = userOf(given);
      expect(typeof user === "string" ? null : user.roleIn("main")).toBeNull();
    }),
  );
});
