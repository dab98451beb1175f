import type { Fields } from "../../../core/record.ts";
import type { Role, User } from "../../ports.ts";

/** Cognito's own limits for a user's name: 128 characters, no spaces or control characters. */
const USER_NAME = /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u;
const GROUP = /^(?<role>accountant|operator):(?<account>\*|[a-z0-9-]{1,32})$/;
/** API Gateway writes a list as one text: `[a b c]`. No group's name contains a space. */
const LIST = /^\[(?<words>.*)\]$/s;
/** More than a token in a cookie can hold. */
const LONGEST_LIST = 8192;

/** The user that the checked token names. A text says why it names none, and is only for the log. */
export function userOf(claims: Fields): User | string {
  const { token_use: use, username } = claims;
  if (use !== "access") {
    return "the token is not an access token";
  }
  if (typeof username !== "string" || !USER_NAME.test(username)) {
    return "the token names no user";
  }
  const groups = new Set(groupsOf(claims["cognito:groups"]));
  const isIn = (role: Role, account: string) => groups.has(`${role}:${account}`) || groups.has(`${role}:*`);
  return {
    name: username,
    roleIn(account) {
      if (isIn("operator", account)) {
        return "operator";
      }
      return isIn("accountant", account) ? "accountant" : null;
    },
  };
}

/** The groups of this deployment; a user's other groups mean nothing here. */
function groupsOf(claim: unknown): string[] {
  return wordsOf(claim).filter((group) => GROUP.test(group));
}

function wordsOf(claim: unknown): readonly string[] {
  if (Array.isArray(claim)) {
    return claim.filter((group) => typeof group === "string");
  }
  if (typeof claim !== "string" || claim.length > LONGEST_LIST) {
    return [];
  }
  return LIST.exec(claim)?.groups?.["words"]?.split(" ") ?? [];
}
