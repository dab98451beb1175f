import { type Break, byTimeAndMarket } from "../../accounting/breaks.ts";
import type { Holding } from "../../accounting/holdings.ts";
import type { PackContext } from "./maker.ts";

// What the user gave for the accounts of a pack.

type Context = Pick<PackContext, "accounts">;

/** Whether a file was given for any account. */
export function isGiven({ accounts }: Context, file: "funding" | "transfers" | "marks"): boolean {
  return accounts.some((one) => one[file] !== null);
}

/** The accounts for which a file was not given, while it was for another. */
export function lacking(context: Context, file: "funding" | "transfers" | "marks"): string[] {
  return isGiven(context, file) ? context.accounts.filter((one) => one[file] === null).map((one) => one.account) : [];
}

export function breaksOf({ accounts }: Context): (Break & { readonly account: string })[] {
  return accounts.flatMap(({ account, breaks }) => breaks.map((one) => ({ ...one, account }))).sort(byTimeAndMarket);
}

/** A market; in a pack of several accounts, also whose it is. A fill without a market stays without one. */
export function nameOf({ accounts }: Context, { account, market }: Pick<Holding, "account" | "market">): string {
  return accounts.length > 1 && market !== "" ? `${market} (${account})` : market;
}
