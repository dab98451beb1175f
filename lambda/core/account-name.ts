/** The store has a folder `table/` of all accounts. */
const NAME = /^(?!table$)[a-z0-9-]{1,32}$/;

/** An account's name is a part of keys and paths. */
export function isAccountName(text: string): boolean {
  return NAME.test(text);
}

/** A folder of the store is called so. */
export const LONGEST_GROUP_NAME = 100;
/** Between the accounts in the name of a group that has no name of its own. No account has it in its name. */
const JOINT = "_";

/** What accounts are called that are exported together: `hedge_main`. */
export function groupNameOf(accounts: readonly string[]): string {
  return accounts.join(JOINT);
}

/** The accounts of such a name; of an account's name that one alone. */
export function accountsIn(name: string): readonly string[] {
  return name.split(JOINT);
}

/** Whether packs may be kept under this name: an account's, or a group's. */
export function isPackOwner(text: string): boolean {
  return text.length <= LONGEST_GROUP_NAME && accountsIn(text).every(isAccountName);
}
