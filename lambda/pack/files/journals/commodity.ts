import { hash } from "node:crypto";

/** What beancount reads as something else. */
const KEYWORDS = new Set(["TRUE", "FALSE", "NULL"]);

/**
 * What a ledger calls a settlement currency: beancount takes 2 to 24 characters of A-Z, 0-9 and some marks, the first a letter. A currency of such letters
 * and digits is called by its name; of others that have only these, such as 1INCH, the name follows `X-`; of the rest, 20 hexadecimal digits of the
 * SHA-256 do. No two currencies have one name: a currency is what follows a market's last hyphen, so it has none itself.
 */
export function commodityOf(currency: string): string {
  if (/^[A-Z][A-Z0-9]{1,23}$/.test(currency) && !KEYWORDS.has(currency)) {
    return currency;
  }
  return /^[A-Z0-9]{1,16}$/.test(currency)
    ? `X-${currency}`
    : `X-${hash("sha256", currency, "hex").slice(0, 20).toUpperCase()}`;
}
