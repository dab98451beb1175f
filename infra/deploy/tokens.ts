import { TOKEN_DESCRIPTION } from "../names.ts";
import type { SecretState } from "./cloud.ts";

/** The account that a secret is for; undefined: it is none of ours. */
export function accountOf(description: string): string | undefined {
  return description.startsWith(TOKEN_DESCRIPTION)
    ? /^[a-z0-9-]+/.exec(description.slice(TOKEN_DESCRIPTION.length))?.[0]
    : undefined;
}

/** Names of the secrets by the account that they are for; those that hold a token first. */
export function secretsByAccount(secrets: readonly SecretState[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { name, description } of secrets.toSorted((a, b) => Number(b.hasValue) - Number(a.hasValue))) {
    const account = accountOf(description);
    if (account !== undefined) {
      names.set(account, [...(names.get(account) ?? []), name]);
    }
  }
  return names;
}
