import type { Form } from "./settings-reader.ts";

// The forms that values of accounts.json must have, and what to write instead.

/** A currency in which markets are settled. */
export const ANY_CURRENCY = /^[A-Z0-9]{2,12}$/;
/** A market's name may end in any letters: `X-usd`. The currency that it is worth has the usual form. */
export const AS_MARKETS_HAVE_IT = /^[A-Za-z0-9._]{1,64}$/;
export const BEANCOUNT_ACCOUNT: Form = {
  pattern: /^(?=.{1,200}$)(?:Assets|Liabilities|Equity|Income|Expenses)(?::[\p{Lu}\p{Nd}][\p{L}\p{Nd}-]*)+$/u,
  write:
    'an account such as "Assets:Perps:{account}:{currency}": it begins with Assets, Liabilities, Equity, Income or Expenses; each part begins with a capital letter or a digit and has letters, digits and hyphens only',
};
export const HLEDGER_ACCOUNT: Form = {
  pattern:
    /^(?=.{1,200}$)[\p{L}\p{N}][\p{L}\p{N}_.&'/-]*(?: [\p{L}\p{N}_.&'/-]+)*(?::[\p{L}\p{N}][\p{L}\p{N}_.&'/-]*(?: [\p{L}\p{N}_.&'/-]+)*)*$/u,
  write:
    'an account such as "assets:perps:{account}:{currency}": parts of letters and digits, with single spaces and - _ . & \' / within them',
};

/** An account's name with its placeholders filled in. */
export function fillIn(name: string, account: string, currency: string): string {
  return name.replaceAll("{account}", () => account).replaceAll("{currency}", () => currency);
}

/** An example of the name, for checking it. */
export function filled(name: string): string {
  return fillIn(name, "Main", "USDT");
}
