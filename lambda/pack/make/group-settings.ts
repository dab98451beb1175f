import { isAccountName } from "../../core/account-name.ts";
import { shown, wrong } from "./settings-reader.ts";

/**
 * Reads the key `accounts` of accounts.json: the accounts of a group, sorted. Null: it names none. Throws
 * `usage`.
 */
export function groupOf(where: string, value: unknown): readonly string[] | null {
  if (value === undefined) {
    return null;
  }
  const names: unknown[] = Array.isArray(value) ? value : [];
  const accounts = names.filter((name) => typeof name === "string" && isAccountName(name)) as string[];
  if (accounts.length !== names.length || accounts.length < 2 || new Set(accounts).size < accounts.length) {
    throw wrong(
      where,
      "accounts",
      `is ${shown(value)}`,
      'two or more different names of accounts, such as ["main", "hedge"]',
    );
  }
  return accounts.sort();
}
