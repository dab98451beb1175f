import {
  ACCOUNT_LENGTH,
  ANY_CURRENCY,
  AS_MARKETS_HAVE_IT,
  BEANCOUNT_ACCOUNT,
  CLIENT,
  CODE,
  CONSULTANT,
  CURRENCY,
  DATE_ORDER,
  datevAccount,
  filled,
  HLEDGER_ACCOUNT,
  NARRATION,
  QUICKBOOKS_ACCOUNT,
  TAX_RATE,
  YEAR_BEGINS,
} from "./account-forms.ts";
import { groupOf } from "./group-settings.ts";
import { entriesOf, type Form, jsonOf, objectReader, shown, wrong } from "./settings-reader.ts";
import { NOBODY_NAMED, type StatementSettings, statementOf } from "./statement-settings.ts";

/** The accounts that a pack posts to, by their names in the user's own books. */
interface Accounts {
  /** The margin balance. */
  readonly cash: string;
  readonly realised: string;
  readonly fees: string;
  readonly funding: string;
}

/**
 * Accounts of a plain-text ledger. In a name, `{account}` stands for the pack's account and `{currency}` for
 * the settlement currency.
 */
export interface LedgerSettings extends Accounts {
  /** Deposits come from here, and withdrawals go here. */
  readonly transfers: string;
  /**
   * True: the file opens its accounts and asserts their balances. False: it has entries only, for a ledger of
   * the user's that includes it.
   */
  readonly standalone: boolean;
}

/** The user's accounts in an accounting package. */
export interface BooksSettings extends Accounts {
  readonly rounding: string;
}

/** Codes of the user's chart of accounts. */
export interface XeroSettings extends BooksSettings {
  /** Its full name. */
  readonly taxRate: string;
  /** The beginning of each journal's narration. */
  readonly narration: string;
}

/**
 * Names of the user's chart of accounts; sub-accounts as `Parent:Sub`. They may have the placeholders of
 * LedgerSettings.
 */
export interface QuickBooksSettings extends BooksSettings {
  /** `03/31/2025` or `31/03/2025`, as the company file is set. */
  readonly dateOrder: "MDY" | "DMY";
}

/** Account numbers in the bookkeeper's DATEV program, for one client of one consultant. */
export interface DatevSettings extends BooksSettings {
  readonly consultant: string;
  readonly client: string;
  /** The digits of a general ledger account. Debtors and creditors have one more. */
  readonly accountLength: string;
  /** Month and day on which the business year begins, `07-01`. */
  readonly yearBegins: string;
}

/** accounts.json: the names in the user's own books for what a pack writes. */
export interface AccountSettings {
  /**
   * The accounts of the group that the file is for, sorted. Null: the file is for one account, or for any.
   */
  readonly accounts: readonly string[] | null;
  /** Declared parities: one unit of the key is worth one unit of the value. `{"USDT": "USD"}` */
  readonly par: Readonly<Record<string, string>>;
  /** The currency of the files for xero, quickbooks and datev. Never null if one of them is set up. */
  readonly bookCurrency: string | null;
  readonly statement: StatementSettings;
  readonly beancount: LedgerSettings;
  readonly hledger: LedgerSettings;
  /** Null: the file is not made. */
  readonly xero: XeroSettings | null;
  readonly quickbooks: QuickBooksSettings | null;
  readonly datev: DatevSettings | null;
}

export const DEFAULT_ACCOUNT_SETTINGS: AccountSettings = {
  accounts: null,
  par: {},
  bookCurrency: null,
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
  xero: null,
  quickbooks: null,
  datev: null,
};

/**
 * Reads accounts.json: one JSON object. Missing keys are as in DEFAULT_ACCOUNT_SETTINGS. `where` names the
 * file in messages. Throws `usage` for text that is not JSON, an unknown or repeated key, and a value of
 * another form.
 */
export function parseAccountSettings(text: string, where: string): AccountSettings {
  const read = objectReader(where, "", jsonOf(text, where), TOP_KEYS);
  const defaults = DEFAULT_ACCOUNT_SETTINGS;
  const own = {
    accounts: groupOf(where, read.value("accounts")),
    par: parOf(where, read.value("par")),
    statement: statementOf(where, read.value("statement")),
    beancount: ledgerOf(where, "beancount", read.value("beancount"), BEANCOUNT_ACCOUNT, defaults.beancount),
    hledger: ledgerOf(where, "hledger", read.value("hledger"), HLEDGER_ACCOUNT, defaults.hledger),
    xero: xeroOf(where, read.value("xero")),
    quickbooks: quickBooksOf(where, read.value("quickbooks")),
    datev: datevOf(where, read.value("datev")),
  };
  const hasBooks = own.xero !== null || own.quickbooks !== null || own.datev !== null;
  const hasCurrency = hasBooks || read.value("bookCurrency") !== undefined;
  const options = own.datev === null ? {} : { fallback: "EUR" };
  return { ...own, bookCurrency: hasCurrency ? read.text("bookCurrency", CURRENCY, options) : null };
}

const TOP_KEYS = [
  "accounts",
  "par",
  "bookCurrency",
  "statement",
  "beancount",
  "hledger",
  "xero",
  "quickbooks",
  "datev",
];
const ACCOUNTS = ["cash", "realised", "fees", "funding"] as const;
const LEDGER_ACCOUNTS = [...ACCOUNTS, "transfers"] as const;
const BOOK_KEYS = [...ACCOUNTS, "rounding"] as const;

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
  const accounts = each(LEDGER_ACCOUNTS, (name) => read.text(name, form, { fallback: defaults[name], filled }));
  for (const name of ["realised", "fees", "funding", "transfers"] as const) {
    if (`${accounts[name]}:`.startsWith(`${accounts.cash}:`)) {
      throw wrong(where, `${key}.${name}`, `is ${shown(accounts[name])}, within ${key}.cash`, "another account");
    }
  }
  return { ...accounts, standalone };
}

function xeroOf(where: string, value: unknown): XeroSettings | null {
  if (value === undefined) {
    return null;
  }
  const read = objectReader(where, "xero", value, [...BOOK_KEYS, "taxRate", "narration"]);
  return {
    ...each(BOOK_KEYS, (key) => read.text(key, CODE)),
    taxRate: read.text("taxRate", TAX_RATE),
    narration: read.text("narration", NARRATION, { fallback: "fillbook" }),
  };
}

function quickBooksOf(where: string, value: unknown): QuickBooksSettings | null {
  if (value === undefined) {
    return null;
  }
  const read = objectReader(where, "quickbooks", value, [...BOOK_KEYS, "dateOrder"]);
  const dateOrder = read.text("dateOrder", DATE_ORDER);
  return {
    ...each(BOOK_KEYS, (key) => read.text(key, QUICKBOOKS_ACCOUNT, { filled })),
    dateOrder: dateOrder === "DMY" ? "DMY" : "MDY",
  };
}

function datevOf(where: string, value: unknown): DatevSettings | null {
  if (value === undefined) {
    return null;
  }
  const read = objectReader(where, "datev", value, [
    "consultant",
    "client",
    "accountLength",
    "yearBegins",
    ...BOOK_KEYS,
  ]);
  const accountLength = read.text("accountLength", ACCOUNT_LENGTH);
  const form = datevAccount(accountLength);
  const accounts = each(BOOK_KEYS, (key) => read.text(key, form));
  for (const key of BOOK_KEYS) {
    if (key !== "cash" && accounts[key] === accounts.cash) {
      throw wrong(where, `datev.${key}`, `is ${shown(accounts[key])}, as datev.cash is`, "another account");
    }
  }
  return {
    consultant: read.text("consultant", CONSULTANT),
    client: read.text("client", CLIENT),
    accountLength,
    yearBegins: read.text("yearBegins", YEAR_BEGINS, { fallback: "01-01" }),
    ...accounts,
  };
}

function each<Key extends string>(keys: readonly Key[], read: (key: Key) => string): Record<Key, string> {
  return Object.fromEntries(keys.map((key) => [key, read(key)])) as Record<Key, string>;
}
