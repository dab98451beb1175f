import { ANY_CURRENCY, AS_MARKETS_HAVE_IT, BEANCOUNT_ACCOUNT, filled, HLEDGER_ACCOUNT } from "./account-forms.ts";
import { groupOf } from "./group-settings.ts";
import { entriesOf, type Form, jsonOf, objectReader, shown, wrong } from "./settings-reader.ts";
import { NOBODY_NAMED, type StatementSettings, statementOf } from "./statement-settings.ts";

/**
 * Accounts of a plain-text ledger. In a name, `{account}` stands for the pack's account and `{currency}` for
 * the settlement currency.
 */
export interface LedgerSettings {
  /** The margin balance. */
  readonly cash: string;
  readonly realised: string;
  readonly fees: string;
  readonly funding: string;
  /** Deposits come from here, and withdrawals go here. */
  readonly transfers: string;
  /**
   * True: the file opens its accounts and asserts their balances. False: it has entries only, for a ledger of
   * the user's that includes it.
   */
  readonly standalone: boolean;
}

/** accounts.json: the names in the user's own books for what a pack writes. */
export interface AccountSettings {
  /**
   * The accounts of the group that the file is for, sorted. Null: the file is for one account, or for any.
   */
  readonly accounts: readonly string[] | null;
  /** Declared parities: one unit of the key is worth one unit of the value. `{"USDT": "USD"}` */
  readonly par: Readonly<Record<string, string>>;
  readonly statement: StatementSettings;
  readonly beancount: LedgerSettings;
  readonly hledger: LedgerSettings;
}

export const DEFAULT_ACCOUNT_SETTINGS: AccountSettings = {
  accounts: null,
  par: {},
  statement: NOBODY_NAMED,
  beancount: {
    cash: "Assets:Perps:{account}:{currency}",
    realised: "Income:Perps:Realised",
    fees: "Expenses:Perps:Fees",
    funding: "Income:Perps:Funding",
    transfers: "Equity:Perps:Transfers",
    standalone: true,
  },
  hledger: {
    cash: "assets:perps:{account}:{currency}",
    realised: "income:perps:realised",
    fees: "expenses:perps:fees",
    funding: "income:perps:funding",
    transfers: "equity:perps:transfers",
    standalone: true,
  },
};

/**
 * Reads accounts.json: one JSON object. Missing keys are as in DEFAULT_ACCOUNT_SETTINGS. `where` names the
 * file in messages. Throws `usage` for text that is not JSON, an unknown or repeated key, and a value of
 * another form.
 */
export function parseAccountSettings(text: string, where: string): AccountSettings {
  const read = objectReader(where, "", jsonOf(text, where), TOP_KEYS);
  const defaults = DEFAULT_ACCOUNT_SETTINGS;
  return {
    accounts: groupOf(where, read.value("accounts")),
    par: parOf(where, read.value("par")),
    statement: statementOf(where, read.value("statement")),
    beancount: ledgerOf(where, "beancount", read.value("beancount"), BEANCOUNT_ACCOUNT, defaults.beancount),
    hledger: ledgerOf(where, "hledger", read.value("hledger"), HLEDGER_ACCOUNT, defaults.hledger),
  };
}

const TOP_KEYS = ["accounts", "par", "statement", "beancount", "hledger"];
const LEDGER_ACCOUNTS = ["cash", "realised", "fees", "funding", "transfers"] as const;

function parOf(where: string, value: unknown): Readonly<Record<string, string>> {
  if (value === undefined) {
    return {};
  }
  const par = entriesOf(where, "par", value).map(([from, to]) => {
    const key = `par.${from}`;
    const write = 'currencies, such as {"USDT": "USD"}';
    if (!AS_MARKETS_HAVE_IT.test(from)) {
      throw wrong(where, key, "is not a currency", write);
    }
    if (typeof to !== "string" || !ANY_CURRENCY.test(to) || to === from) {
      throw wrong(where, key, `is ${shown(to)}`, write);
    }
    return [from, to] as const;
  });
  const declared = new Map(par);
  for (const [from, to] of par) {
    if (declared.has(to)) {
      throw wrong(where, `par.${from}`, `is ${shown(to)}, which has its own par`, "the last currency of the chain");
    }
  }
  return Object.fromEntries(par);
}

function ledgerOf(where: string, key: string, value: unknown, form: Form, defaults: LedgerSettings): LedgerSettings {
  if (value === undefined) {
    return defaults;
  }
  const read = objectReader(where, key, value, [...LEDGER_ACCOUNTS, "standalone"]);
  const given = read.value("standalone");
  const standalone = given === undefined ? defaults.standalone : given;
  if (typeof standalone !== "boolean") {
    throw wrong(where, `${key}.standalone`, `is ${shown(standalone)}`, "true or false");
  }
  const accounts = Object.fromEntries(
    LEDGER_ACCOUNTS.map((name) => [name, read.text(name, form, { fallback: defaults[name], filled })]),
  ) as Record<(typeof LEDGER_ACCOUNTS)[number], string>;
  for (const name of ["realised", "fees", "funding", "transfers"] as const) {
    if (`${accounts[name]}:`.startsWith(`${accounts.cash}:`)) {
      throw wrong(where, `${key}.${name}`, `is ${shown(accounts[name])}, within ${key}.cash`, "another account");
    }
  }
  return { ...accounts, standalone };
}
