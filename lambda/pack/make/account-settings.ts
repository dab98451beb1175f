import { isAccountName } from "../../core/account-name.ts";
import { type FillbookError, usageError } from "../../core/errors.ts";
import { nearest } from "../../core/suggest.ts";
import { count } from "../../core/text.ts";
import { describe } from "../../formats/json.ts";

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
   * True: the file opens its accounts. False: it has entries only, for a ledger of
   * the user's that includes it.
   */
  readonly standalone: boolean;
}

/** The names on the statement. Null: not given. */
export interface StatementSettings {
  /** The venue's name. */
  readonly venue: string | null;
  readonly client: string | null;
  readonly preparer: string | null;
  /** The preparer's own reference. */
  readonly reference: string | null;
}

/** accounts.json: the names in the user's own books for what a pack writes. */
export interface AccountSettings {
  /** The accounts of the group that the file is for, sorted. Null: the file is for one account, or for any. */
  readonly accounts: readonly string[] | null;
  /** Declared parities: one unit of the key is worth one unit of the value. `{"USDT": "USD"}` */
  readonly par: Readonly<Record<string, string>>;
  readonly statement: StatementSettings;
  readonly beancount: LedgerSettings;
  readonly hledger: LedgerSettings;
}

/** Reads a value of a settings file. Throws `usage` if it is of another form. */
type Read<T> = (value: unknown, at: Place) => T;

/** Where a value is. */
interface Place {
  /** The file, for messages. */
  readonly where: string;
  /** `hledger.cash`; "" for the whole file. */
  readonly path: string;
}

/** Characters of a text, in a message. */
const MAX_SHOWN = 80;
/** Settings have a few lines. What is much longer is refused. */
const MAX_LENGTH = 1_000_000;

/** Each key once, and no others; keys that are missing are read as undefined. */
function object<T extends object>(reads: { readonly [Key in keyof T]: Read<T[Key]> }): Read<T> {
  const known = Object.keys(reads);
  return (value, { where, path }) => {
    const prefix = path === "" ? "" : `${path}.`;
    const fields = new Map(entriesOf(value, { where, path }));
    const unknown = [...fields.keys()].find((key) => !known.includes(key));
    if (unknown !== undefined) {
      const meant = nearest(unknown.slice(0, MAX_SHOWN), known);
      const hint = `${meant === undefined ? "" : `did you mean ${meant}? `}${path === "" ? "the file" : path} takes ${known.join(", ")}`;
      throw usageError(`${where}: ${describe(prefix + unknown)} is not known`, hint);
    }
    const read = Object.entries<Read<unknown>>(reads).map(([key, own]) => [
      key,
      own(fields.get(key), { where, path: prefix + key }),
    ]);
    return Object.fromEntries(read) as T; // each by its own reader
  };
}

/** The value, or this where the key is missing. */
function or<T>(fallback: T, read: Read<T>): Read<T> {
  return (value, at) => (value === undefined ? fallback : read(value, at));
}

/** Text of a pattern. `write`: what to write instead. */
function text(pattern: RegExp, write: string, sampleOf = (given: string) => given): Read<string> {
  return (value, at) => {
    if (typeof value !== "string" || !pattern.test(sampleOf(value))) {
      throw wrong(at, `is ${describe(value)}`, write);
    }
    return value;
  };
}

const flag: Read<boolean> = (value, at) => {
  if (typeof value !== "boolean") {
    throw wrong(at, `is ${describe(value)}`, "true or false");
  }
  return value;
};

/** None if the key is missing. */
function entriesOf(value: unknown, at: Place): [string, unknown][] {
  if (value === undefined) {
    return [];
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wrong(at, `is ${describe(value)}`, "a JSON object: {…}");
  }
  return Object.entries(value);
}

/** The JSON in a text. Throws `usage` if it is none, or if an object has a key twice: JSON.parse takes the last. */
function jsonOf(json: string, where: string): unknown {
  if (json.length > MAX_LENGTH) {
    throw wrong({ where, path: "" }, `has more than ${count(MAX_LENGTH)} characters`, "only settings");
  }
  let keys = -1; // the whole is under a key, too
  let value: unknown;
  try {
    value = JSON.parse(json.replace(/^\uFEFF/, ""), function (this: unknown, _key, inner: unknown) {
      keys += Array.isArray(this) ? 0 : 1;
      return inner;
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = 'write an object such as {"par": {"USDT": "USD"}}';
    throw usageError(`${where} is not JSON: ${reason.slice(0, 2 * MAX_SHOWN)}`, hint, error);
  }
  // Texts, with the colon that makes them keys.
  const written = [...json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined);
  if (written.length !== keys) {
    throw wrong({ where, path: "" }, "has a key twice", "each key once");
  }
  return value;
}

/** The error of one key: what is wrong, and what to write. */
function wrong({ where, path }: Place, what: string, write: string): FillbookError {
  return usageError(`${where}: ${path.slice(0, MAX_SHOWN) || "the file"} ${what}`, `write ${write}`);
}

/** A currency in which markets are settled. */
const ANY_CURRENCY = /^[A-Z0-9]{2,12}$/;
/** A market's name may end in any letters: `X-usd`. The currency that it is worth has the usual form. */
const AS_MARKETS_HAVE_IT = /^[A-Za-z0-9._]{1,64}$/;

const accounts: Read<readonly string[]> = (value, at) => {
  const names: unknown[] = Array.isArray(value) ? value : [];
  const known = names.filter((one) => typeof one === "string" && isAccountName(one)) as string[];
  if (known.length !== names.length || known.length < 2 || new Set(known).size < known.length) {
    const shown = Array.isArray(value) ? `[${names.map(describe).join(",")}]`.slice(0, MAX_SHOWN) : describe(value);
    throw wrong(at, `is ${shown}`, 'two or more different names of accounts, such as ["main", "hedge"]');
  }
  return known.sort();
};

const par: Read<Readonly<Record<string, string>>> = (value, { where, path }) => {
  const entries = entriesOf(value, { where, path });
  const declared = new Map(entries);
  for (const [from, to] of entries) {
    const at = { where, path: `${path}.${from}` };
    const write = 'currencies, such as {"USDT": "USD"}';
    if (!AS_MARKETS_HAVE_IT.test(from)) {
      throw wrong(at, "is not a currency", write);
    }
    if (typeof to !== "string" || !ANY_CURRENCY.test(to) || to === from) {
      throw wrong(at, `is ${describe(to)}`, write);
    }
    if (declared.has(to)) {
      throw wrong(at, `is ${describe(to)}, which has its own par`, "the last currency of the chain");
    }
  }
  return Object.fromEntries(declared) as Record<string, string>;
};

const name = or<string | null>(
  null,
  text(
    /^(?=.{1,100}$)[^\p{C}\p{Zl}\p{Zp}]*\S[^\p{C}\p{Zl}\p{Zp}]*$/u,
    'a name in one line, of at most 100 characters, such as "A. Trader"',
  ),
);

const LEDGER = {
  cash: "Assets:Perps:{account}:{currency}",
  realised: "Income:Perps:Realised",
  fees: "Expenses:Perps:Fees",
  funding: "Income:Perps:Funding",
  transfers: "Equity:Perps:Transfers",
};

/** `usual`: an account of LEDGER, as the program writes it. */
function ledger(pattern: RegExp, write: string, usual = (account: string) => account): Read<LedgerSettings> {
  // A name is checked with its placeholders filled in.
  const account = text(pattern, write, (own) => fillIn(own, "Main", "USDT"));
  const accountOf = (key: keyof typeof LEDGER) => or(usual(LEDGER[key]), account);
  const read = object<LedgerSettings>({
    cash: accountOf("cash"),
    realised: accountOf("realised"),
    fees: accountOf("fees"),
    funding: accountOf("funding"),
    transfers: accountOf("transfers"),
    standalone: or(true, flag),
  });
  return (value, at) => {
    const all = read(value, at);
    for (const key of ["realised", "fees", "funding", "transfers"] as const) {
      if (`${all[key]}:`.startsWith(`${all.cash}:`)) {
        const own = { ...at, path: `${at.path}.${key}` };
        throw wrong(own, `is ${describe(all[key])}, within ${at.path}.cash`, "another account");
      }
    }
    return all;
  };
}

const beancount = ledger(
  /^(?=.{1,200}$)(?:Assets|Liabilities|Equity|Income|Expenses)(?::[\p{Lu}\p{Nd}][\p{L}\p{Nd}-]*)+$/u,
  'an account such as "Assets:Perps:{account}:{currency}": it begins with Assets, Liabilities, Equity, Income or Expenses; each part begins with a capital letter or a digit and has letters, digits and hyphens only',
);

const hledger = ledger(
  /^(?=.{1,200}$)[\p{L}\p{N}][\p{L}\p{N}_.&'/-]*(?: [\p{L}\p{N}_.&'/-]+)*(?::[\p{L}\p{N}][\p{L}\p{N}_.&'/-]*(?: [\p{L}\p{N}_.&'/-]+)*)*$/u,
  'an account such as "assets:perps:{account}:{currency}": parts of letters and digits, with single spaces and - _ . & \' / within them',
  (account) => account.toLowerCase(),
);

const SETTINGS = object<AccountSettings>({
  accounts: or<readonly string[] | null>(null, accounts),
  par,
  statement: object<StatementSettings>({ venue: name, client: name, preparer: name, reference: name }),
  beancount,
  hledger,
});

/**
 * Reads accounts.json: one JSON object. Missing keys are as in DEFAULT_ACCOUNT_SETTINGS. `where` names the
 * file in messages. Throws `usage` for text that is not JSON, an unknown or repeated key, and a value of
 * another form.
 */
export function parseAccountSettings(json: string, where: string): AccountSettings {
  return SETTINGS(jsonOf(json, where), { where, path: "" });
}

export const DEFAULT_ACCOUNT_SETTINGS = parseAccountSettings("{}", "");

/** An account's name with its placeholders filled in. */
export function fillIn(own: string, account: string, currency: string): string {
  return own.replaceAll("{account}", () => account).replaceAll("{currency}", () => currency);
}
