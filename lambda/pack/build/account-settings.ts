import { groupOf } from "./group-settings.ts";
import { entriesOf, type Form, jsonOf, objectReader, shown, wrong } from "./settings-reader.ts";
import { NOBODY_NAMED, type StatementSettings, statementOf } from "./statement-settings.ts";

/** What a pack books to, as the user's own books name it. */
interface Accounts {
  /** The margin balance. */
  readonly cash: string;
  readonly realised: string;
  readonly fees: string;
  readonly funding: string;
}

/** Accounts of a plain-text ledger. In a name, `{account}` stands for the pack's account and `{currency}` for what is settled in. */
export interface LedgerSettings extends Accounts {
  /** Where deposits come from and withdrawals go to. */
  readonly transfers: string;
  /** The file opens its accounts and asserts their balances. False: entries only, for a ledger of the user's that includes it. */
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
  /** What the narration of each journal begins with. */
  readonly narration: string;
}

/** Names of the user's chart of accounts, sub-accounts as `Parent:Sub`; with the placeholders of LedgerSettings. */
export interface QuickBooksSettings extends BooksSettings {
  /** `03/31/2025` or `31/03/2025`: what the company file is set to. */
  readonly dateOrder: "MDY" | "DMY";
}

/** Numbers of accounts at the bookkeeper's DATEV program, for one client of one consultant. */
export interface DatevSettings extends BooksSettings {
  readonly consultant: string;
  readonly client: string;
  /** Digits of a general ledger account; those of debtors and creditors have one more. */
  readonly accountLength: string;
  /** Month and day of the business year's first day, `07-01`. */
  readonly yearBegins: string;
}

/** accounts.json: how the user's own books name what a pack writes. */
export interface AccountSettings {
  /** The accounts of the group that the file is for, sorted; null: it is for one account, or for any. */
  readonly accounts: readonly string[] | null;
  /** Declared parities, by currency: one of the key is worth one of the value. `{"USDT": "USD"}` */
  readonly par: Readonly<Record<string, string>>;
  /** What the files for xero, quickbooks and datev are in; never null where one of them is set up. */
  readonly bookCurrency: string | null;
  readonly statement: StatementSettings;
  readonly beancount: LedgerSettings;
  readonly hledger: LedgerSettings;
  /** Null: its file is not made. */
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
 * accounts.json: one JSON object; what it leaves out is as in DEFAULT_ACCOUNT_SETTINGS. `where` names the file in messages. Throws `usage` on text that is
 * not JSON, a key that is not known or is there twice, and a value of another form.
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

const CURRENCY: Form = { pattern: /^[A-Z]{3}$/, write: 'three capital letters, such as "EUR"' };
/** What markets are settled in. */
const ANY_CURRENCY = /^[A-Z0-9]{2,12}$/;
/** A market's name may end in any letters: `X-usd`. What it is worth has the usual form. */
const AS_MARKETS_HAVE_IT = /^[A-Za-z0-9._]{1,64}$/;
const CODE: Form = { pattern: /^\d{1,10}$/, write: 'the code of the account in quotes, 1 to 10 digits, such as "610"' };
const BEANCOUNT_ACCOUNT: Form = {
  pattern: /^(?=.{1,200}$)(?:Assets|Liabilities|Equity|Income|Expenses)(?::[\p{Lu}\p{Nd}][\p{L}\p{Nd}-]*)+$/u,
  write:
    'an account such as "Assets:Perps:{account}:{currency}": it begins with Assets, Liabilities, Equity, Income or Expenses; each part begins with a capital letter or a digit and has letters, digits and hyphens only',
};
const HLEDGER_ACCOUNT: Form = {
  pattern:
    /^(?=.{1,200}$)[\p{L}\p{N}][\p{L}\p{N}_.&'/-]*(?: [\p{L}\p{N}_.&'/-]+)*(?::[\p{L}\p{N}][\p{L}\p{N}_.&'/-]*(?: [\p{L}\p{N}_.&'/-]+)*)*$/u,
  write:
    'an account such as "assets:perps:{account}:{currency}": parts of letters and digits, with single spaces and - _ . & \' / within them',
};
const QUICKBOOKS_ACCOUNT = plainText(100, 'the name of the account, such as "Trading:Perps {currency}"');
const TAX_RATE = plainText(50, 'the full name of the tax rate, such as "Tax Exempt"');
const NARRATION = plainText(50, 'a few words, such as "fillbook"');
const DATE_ORDER: Form = { pattern: /^(?:MDY|DMY)$/, write: '"MDY" for 03/31/2025 or "DMY" for 31/03/2025' };

const CONSULTANT: Form = {
  pattern: /^(?:100[1-9]|10[1-9]\d|1[1-9]\d\d|[2-9]\d{3}|[1-9]\d{4,6})$/,
  write: 'the number of the consultant (Berater) in quotes, 1001 to 9999999, such as "29098"',
};
const CLIENT: Form = {
  pattern: /^[1-9]\d{0,4}$/,
  write: 'the number of the client (Mandant) in quotes, 1 to 99999, such as "55003"',
};
const ACCOUNT_LENGTH: Form = {
  pattern: /^[4-8]$/,
  write: 'how many digits an account has at the bookkeeper, "4" to "8"',
};
const YEAR_BEGINS: Form = {
  pattern: /^(?:0[1-9]|1[0-2])-01$/,
  write: 'month and day that the business year begins with, the first of a month, such as "01-01" or "07-01"',
};

/** Text without what separates cells, and that no program runs as a formula: importers stumble over it even where it is quoted. */
function plainText(most: number, write: string): Form {
  return {
    pattern: new RegExp(`^(?=.{1,${most}}$)[\\p{L}\\p{N}][^\\p{C}\\p{Zl}\\p{Zp},;"]*$`, "u"),
    write: `${write}: at most ${most} characters, no comma, semicolon or quote`,
  };
}

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
      throw wrong(
        where,
        `par.${from}`,
        `is ${shown(to)}, which has a par of its own`,
        "the last currency of the chain",
      );
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

/** Of `length` digits, or of one more, of which the first is no zero: a debtor or a creditor. */
function datevAccount(length: string): Form {
  return {
    pattern: new RegExp(`^(?:(?!0+$)\\d{${length}}|[1-9]\\d{${length}})$`),
    write: `the number of the account in quotes: ${length} digits, as accountLength says, or one more for a debtor or creditor`,
  };
}

function each<Key extends string>(keys: readonly Key[], read: (key: Key) => string): Record<Key, string> {
  return Object.fromEntries(keys.map((key) => [key, read(key)])) as Record<Key, string>;
}

/** A name of an account with its placeholders filled in. */
export function fillIn(name: string, account: string, currency: string): string {
  return name.replaceAll("{account}", () => account).replaceAll("{currency}", () => currency);
}

/** An example of a name, to check it by. */
function filled(name: string): string {
  return fillIn(name, "Main", "USDT");
}
