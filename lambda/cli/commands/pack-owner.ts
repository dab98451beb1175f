import { accountsIn, isAccountName, isPackOwner } from "../../core/account-name.ts";
import { FillbookError } from "../../core/errors.ts";
import { SCHEMA } from "../../job/settings.ts";

/**
 * What was typed as `--account` where packs are looked for: an account, or a group as `fillbook packs` lists
 * it.
 */
export function packOwner(typed: string): string {
  if (isPackOwner(typed)) {
    return typed;
  }
  const wrong = accountsIn(typed).find((name) => !isAccountName(name));
  if (wrong !== undefined) {
    SCHEMA.account.parse(wrong === "" ? typed : wrong, "--account");
  }
  throw new FillbookError("usage", "--account names a group that is too long", {
    hint: "list the packs with their accounts: fillbook packs",
  });
}
