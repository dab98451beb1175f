import { type CheckScope, lastChecks } from "../../pack/make/checks.ts";
import type { AccountStores, PackEntry, PackStoreName } from "../packs.ts";

type LastChecks = Awaited<ReturnType<typeof lastChecks>>;
type Check = NonNullable<LastChecks["files"]>;

/** The scope of the checks that read the packs of this store. */
function packsRead(
  { packStore }: Pick<AccountStores, "packStore">,
  holder: PackStoreName,
): Pick<CheckScope, "packStore"> {
  return holder === "archive" || packStore === null ? {} : { packStore: packStore.location };
}

/** Null if the pack was made after the check. */
export function sinceMade(check: Check | null, { madeAt }: Pick<PackEntry, "madeAt">): Check | null {
  return check === null || check.checkedAt < madeAt ? null : check;
}

/**
 * The last checks. One of files that did not read the packs of this store counts only if it found something.
 */
export async function checksWithPacks(
  stores: AccountStores,
  scope: Omit<CheckScope, "packStore">,
  holder: PackStoreName,
): Promise<LastChecks> {
  const { account, store } = stores;
  const whole = { ...scope, ...packsRead(stores, holder) };
  const all = lastChecks(store, account, scope);
  const [{ files, rewalk }, read] = await Promise.all([
    all,
    whole.packStore === undefined ? all : lastChecks(store, account, whole),
  ]);
  return { files: files?.ok === false ? files : read.files, rewalk };
}
