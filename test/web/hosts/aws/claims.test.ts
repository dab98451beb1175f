import fc from "fast-check";
import { expect, test } from "vitest";
import { userOf } from "../../../../lambda/web/hosts/aws/claims.ts";

const ACCOUNTS = ["main", "other", "a", "*", "", "main accountant:other", "__proto__"];
const ALL = (role: string) => Object.fromEntries(ACCOUNTS.map((account) => [account, role]));

test.each<[unknown, Readonly<Record<string, string>>]>([
  ["[accountant:main]", { main: "accountant" }],
  ["[accountant:main operator:main]", { main: "operator" }],
  [["accountant:main", "operator:other"], { main: "accountant", other: "operator" }],
  ["[staff accountant:main Admins]", { main: "accountant" }],
  ["[accountant:*]", ALL("accountant")],
  ["[accountant:* operator:main]", { ...ALL("accountant"), main: "operator" }],
  ["[operator:* accountant:main]", ALL("operator")],
  ...[
    ...[undefined, null, "", "[]", "accountant:main", "[accountant:main", '["accountant:main"]', true],
    ...["[accountant:main,operator:main]", "[Accountant:main]", "[accountant:Main]", "[accountant:ma*]"],
    ...["[accountant:main\toperator:main]", "[accountant:main2]", ["[accountant:main]"], { "accountant:main": 1 }],
  ].map((groups): [unknown, Readonly<Record<string, string>>] => [groups, {}]),
])("a user's roles come from the groups of the token: %j", (groups, roles) => {
  const user = userOf({ token_use: "access", username: "ann", "cognito:groups": groups });
  const found = ACCOUNTS.map((account) => [account, typeof user === "string" ? user : user.roleIn(account)] as const);
  expect(Object.fromEntries(found.filter(([, role]) => role !== null))).toEqual(roles);
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
  const pieces = fc.constantFrom("accountant:other", "operator:", "x", " ", "[", "]", "*", "accountant:", "ma in");
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces, { maxLength: 6 }).map((parts) => `[${parts.join(" ")}]`),
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
