import type { Fields } from "../../../core/record.ts";
import type { Role, User } from "../../ports.ts";

/** The user that the checked token names. A text says why it names none, and is only for the log. */
export function userOf({ token_use: use, username: name, "cognito:groups": claim }: Fields): User | string {
  if (use !== "access") {
    return "the token is not an access token";
  }
  if (typeof name !== "string" || name === "") {
    return "the token names no user";
  }
  const groups = groupsOf(claim);
  const isIn = (role: Role, account: string) => groups.has(`${role}:${account}`) || groups.has(`${role}:*`);
  return {
    name,
    roleIn(account) {
      if (isIn("operator", account)) {
        return "operator";
      }
      return isIn("accountant", account) ? "accountant" : null;
    },
  };
}

/** API Gateway writes a list as one text: `[a b c]`. No group's name contains a space. */
function groupsOf(claim: unknown): ReadonlySet<unknown> {
  const words = typeof claim === "string" ? (/^\[(.*)\]$/s.exec(claim)?.[1]?.split(" ") ?? []) : claim;
  return new Set(Array.isArray(words) ? words : []);
}
