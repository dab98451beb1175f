import { hash } from "node:crypto";
import type { BookJournal } from "./book-tally.ts";

/**
 * Numbers a journal: `FB-202503-BTCUSDT`. The number is the same in every run, because programs recognise a
 * journal by it. Accounts other than main have their name before the market. If a number is longer than
 * `most` characters or taken, digits of a SHA-256 replace it.
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
