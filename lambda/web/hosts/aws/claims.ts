import type { Role, User } from "../../ports.ts";
import type { Claims } from "./events.ts";

/** Cognito's own limits for a user's name: 128 characters, no spaces or control characters. */
const USER_NAME = /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u;
const GROUP = /^(?<role>accountant|operator):(?<account>\*|[a-z0-9-]{1,32})$/;
const SESSION = /^[\w-]{16,128}$/;
/** API Gateway writes a list as one text: `[a b c]`. No group's name contains a space. */
const LIST = /^\[(?<words>.*)\]$/s;
/** More than a token in a cookie can hold. */
const LONGEST_LIST = 8192;

/** The user that the checked token names. A text says why it names none, and is only for the log. */
export function userOf(claims: Claims): User | string {
  const { token_use: use, username } = claims;
  if (use !== "access") {
    return "the token is not one for access";
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

/**
 * Cognito's id of the sign-in that the token comes from; renewed tokens keep it. Null if the token has none.
 * Only the user's browser and Cognito know it.
 */
export function sessionOf({ origin_jti: session }: Claims): string | null {
  return typeof session === "string" && SESSION.test(session) ? session : null;
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
