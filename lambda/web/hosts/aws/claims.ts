import type { Role, User } from "../../ports.ts";
import type { Claims } from "./events.ts";

/** Cognito's own limits: a name of 128 characters, without blanks and control characters. */
const USER_NAME = /^[\p{L}\p{M}\p{S}\p{N}\p{P}]{1,128}$/u;
const GROUP = /^(?<role>accountant|operator):(?<account>\*|[a-z0-9-]{1,32})$/;
const SESSION = /^[\w-]{16,128}$/;
/** As API Gateway writes a list into one text: `[a b c]`. No group's name has a blank. */
const LIST = /^\[(?<words>.*)\]$/s;
/** More than a token in a cookie can name. */
const LONGEST_LIST = 8192;

/** Who the checked token says it is; a text: why it is nobody, for the log alone. */
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

/** Cognito's own name of the sign-in that the token comes from, which renewed tokens keep; null: it has none. Nobody but the user's browser and Cognito knows it. */
export function sessionOf({ origin_jti: session }: Claims): string | null {
  return typeof session === "string" && SESSION.test(session) ? session : null;
}

/** Those that are ours; whatever else a user is in says nothing here. */
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
