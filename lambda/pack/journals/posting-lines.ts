import { padPlaces, placesOf } from "./amounts.ts";
import type { Posting } from "./balances.ts";

/** The legs of an entry, in columns, all amounts with the same number of places. */
export function postingLines(
  postings: readonly Posting[],
  indent: string,
  symbolOf: (commodity: string) => string,
): string[] {
  const places = Math.max(0, ...postings.map(({ text }) => placesOf(text)));
  const rows = postings.map(({ account, text, commodity }) => ({
    account,
    number: padPlaces(text, places),
    symbol: symbolOf(commodity),
  }));
  const accountWidth = Math.max(...rows.map(({ account }) => account.length));
  const numberWidth = Math.max(...rows.map(({ number }) => number.length));
  return rows.map(
    ({ account, number, symbol }) =>
      `${indent}${account.padEnd(accountWidth)}    ${number.padStart(numberWidth)} ${symbol}`,
  );
}
