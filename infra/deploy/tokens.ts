import type { Names } from "../names.ts";
import type { SecretState } from "./cloud.ts";

/** The account that a secret belongs to; undefined if it is not a secret of this deployment. */
export function accountOf(description: string, { tokenDescription }: Names): string | undefined {
  return description.startsWith(tokenDescription)
    ? /^[a-z0-9-]+/.exec(description.slice(tokenDescription.length))?.[0]
    : undefined;
}

/** Names of the secrets by account; secrets that hold a token come first. */
export function secretsByAccount(secrets: readonly SecretState[], ours: Names): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { name, description } of secrets.toSorted((a, b) => Number(b.hasValue) - Number(a.hasValue))) {
    const account = accountOf(description, ours);
    if (account !== undefined) {
      names.set(account, [...(names.get(account) ?? []), name]);
    }
  }
  return names;
}
