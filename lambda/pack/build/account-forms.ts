import type { Form } from "./settings-reader.ts";

// The forms that values of accounts.json must have, and what to write instead.

export const CURRENCY: Form = { pattern: /^[A-Z]{3}$/, write: 'three capital letters, such as "EUR"' };
/** A currency in which markets are settled. */
export const ANY_CURRENCY = /^[A-Z0-9]{2,12}$/;
/** A market's name may end in any letters: `X-usd`. The currency that it is worth has the usual form. */
export const AS_MARKETS_HAVE_IT = /^[A-Za-z0-9._]{1,64}$/;
export const CODE: Form = {
  pattern: /^\d{1,10}$/,
  write: 'the code of the account in quotes, 1 to 10 digits, such as "610"',
};
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
export const QUICKBOOKS_ACCOUNT = plainText(100, 'the name of the account, such as "Trading:Perps {currency}"');
export const TAX_RATE = plainText(50, 'the full name of the tax rate, such as "Tax Exempt"');
export const NARRATION = plainText(50, 'a few words, such as "fillbook"');
export const DATE_ORDER: Form = { pattern: /^(?:MDY|DMY)$/, write: '"MDY" for 03/31/2025 or "DMY" for 31/03/2025' };

export const CONSULTANT: Form = {
  pattern: /^(?:100[1-9]|10[1-9]\d|1[1-9]\d\d|[2-9]\d{3}|[1-9]\d{4,6})$/,
  write: 'the number of the consultant (Berater) in quotes, 1001 to 9999999, such as "29098"',
};
export const CLIENT: Form = {
  pattern: /^[1-9]\d{0,4}$/,
  write: 'the number of the client (Mandant) in quotes, 1 to 99999, such as "55003"',
};
export const ACCOUNT_LENGTH: Form = {
  pattern: /^[4-8]$/,
  write: 'how many digits an account has at the bookkeeper, "4" to "8"',
};
export const YEAR_BEGINS: Form = {
  pattern: /^(?:0[1-9]|1[0-2])-01$/,
  write: 'month and day that the business year begins with, the first of a month, such as "01-01" or "07-01"',
};

/**
 * Text without separators of cells, and that no program runs as a formula. Importers fail on such text even
 * if it is quoted.
 */
function plainText(most: number, write: string): Form {
  return {
    pattern: new RegExp(`^(?=.{1,${most}}$)[\\p{L}\\p{N}][^\\p{C}\\p{Zl}\\p{Zp},;"]*$`, "u"),
    write: `${write}: at most ${most} characters, no comma, semicolon or quote`,
  };
}

/** `length` digits; or one more (a debtor or a creditor), whose first digit is not zero. */
export function datevAccount(length: string): Form {
  return {
    pattern: new RegExp(`^(?:(?!0+$)\\d{${length}}|[1-9]\\d{${length}})$`),
    write: `the number of the account in quotes: ${length} digits, as accountLength says, or one more for a debtor or creditor`,
  };
}

/** An account's name with its placeholders filled in. */
export function fillIn(name: string, account: string, currency: string): string {
  return name.replaceAll("{account}", () => account).replaceAll("{currency}", () => currency);
}

/** An example of the name, for checking it. */
export function filled(name: string): string {
  return fillIn(name, "Main", "USDT");
}
