import { hash } from "node:crypto";
import type { BookJournal } from "./book-tally.ts";

/**
 * `FB-202503-BTCUSDT`: the same in every run, as it is by the number that a program knows a journal again. Of an account other than main, its name comes
 * before the market; what is longer than `most` characters, or taken, becomes digits of a SHA-256.
 */
export function numbering(account: string, most: number): (journal: BookJournal) => string {
  const taken = new Set<string>();
  return ({ month, market, currency }) => {
    const start = `FB-${month.replace("-", "")}-`;
    const own = account === "main" ? "" : `${account.toUpperCase()}-`;
    const name = `${start}${own}${market.replaceAll("-", "")}`;
    const digits = hash("sha256", JSON.stringify([account, market, currency]), "hex").toUpperCase();
    const isGood = /^[A-Z0-9-]*$/.test(name) && name.length <= most && !taken.has(name);
    const number = isGood ? name : (start + digits).slice(0, most);
    taken.add(number);
    return number;
  };
}
