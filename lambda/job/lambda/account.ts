import { FillbookError } from "../../core/errors.ts";
import type { Environment } from "../settings.ts";

const ACCOUNT = "FILLBOOK_ACCOUNT";
const TOKEN_SECRET = "FILLBOOK_TOKEN_SECRET";
/** Accounts whose secret has a name of its own: `account=name`, separated by commas. */
const TOKEN_SECRETS = "FILLBOOK_TOKEN_SECRETS";
const PLACEHOLDER = "{account}";

/**
 * The function's environment for one account. One function serves all accounts, and `FILLBOOK_TOKEN_SECRET`
 * contains `{account}`. `asked`: the account in the event; it may be null if the deployment has one account
 * only. Throws with kind `usage`.
 */
export function accountEnvironment(environment: Environment, asked: string | null): Environment {
  const only = environment[ACCOUNT] ?? null;
  const account = asked ?? only;
  if (account === null) {
    throw new FillbookError("usage", "the event names no account, and this deployment has several", {
      hint: 'for example {"action": "sync", "account": "main"}',
    });
  }
  if (only !== null && account !== only) {
    throw new FillbookError(
      "usage",
      `the event is for account "${account}", but this deployment has only account "${only}"`,
      { hint: "add the account to the setting accounts, and deploy" },
    );
  }
  const other = (environment[TOKEN_SECRETS] ?? "").split(",").find((pair) => pair.startsWith(`${account}=`));
  const secret = other?.slice(account.length + 1) ?? environment[TOKEN_SECRET]?.replaceAll(PLACEHOLDER, account);
  return { ...environment, [ACCOUNT]: account, [TOKEN_SECRET]: secret };
}
