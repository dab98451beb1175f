import { hash } from "node:crypto";

/** beancount gives these another meaning. */
const KEYWORDS = new Set(["TRUE", "FALSE", "NULL"]);

/**
 * The name of a settlement currency in a ledger. beancount allows 2 to 24 characters of A-Z, 0-9 and some
 * marks, beginning with a letter. A currency of such letters and digits keeps its name. A name such as 1INCH
 * gets the prefix `X-`. Any other becomes 20 hexadecimal digits of its SHA-256. No two currencies get one
 * name: a currency is what follows a market's last hyphen, so it contains none.
 */
export function commodityOf(currency: string): string {
  if (/^[A-Z][A-Z0-9]{1,23}$/.test(currency) && !KEYWORDS.has(currency)) {
    return currency;
  }
  return /^[A-Z0-9]{1,16}$/.test(currency)
    ? `X-${currency}`
    : `X-${hash("sha256", currency, "hex").slice(0, 20).toUpperCase()}`;
}
