import { hash } from "node:crypto";
import { codePointOf } from "../../core/code-points.ts";

/**
 * What a tool may not read as text: all but letters and digits of any script and a few marks, of which none may
 * stand first.
 */
const NOT_PLAIN = /^[._:-]|[^\p{L}\p{N}._:-]/gu;

/**
 * A name as the import files write it. Usual names stay as they are. Any other UTF-16 unit becomes `%` and
 * its four hexadecimal digits. So no cell needs quotes, breaks a line or begins a formula, and two names
 * never become one.
 */
export function plain(name: string): string {
  const hex = (unit: string) => `%${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  return name.replaceAll(NOT_PLAIN, (sign) => sign.split("").map(hex).join(""));
}

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/**
 * Escapes invisible and bidirectional characters, and those that have a meaning in the file, by their code point:
 * `<U+202E>`.
 */
export function visible(text: string, special: RegExp = HIDDEN): string {
  const escaped = (sign: string) => `<${codePointOf(sign)}>`;
  return text.toWellFormed().replaceAll(HIDDEN, escaped).replaceAll(special, escaped);
}

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
