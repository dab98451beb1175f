import { padPlaces, placesOf } from "./amounts.ts";
import type { Posting } from "./balances.ts";

/** The legs of an entry, a line each, in columns, all amounts with the same number of places. */
export function postingLines(
  postings: readonly Posting[],
  indent: string,
  symbolOf: (commodity: string) => string,
): string {
  let [places, accountWidth, numberWidth] = [0, 0, 0];
  for (const { account, text } of postings) {
    places = Math.max(places, placesOf(text));
    accountWidth = Math.max(accountWidth, account.length);
  }
  const numbers = postings.map(({ text }) => padPlaces(text, places));
  for (const { length } of numbers) {
    numberWidth = Math.max(numberWidth, length);
  }
  let lines = "";
  for (const [at, { account, commodity }] of postings.entries()) {
    const number = numbers[at] ?? "";
    lines += `${indent}${account.padEnd(accountWidth)}    ${number.padStart(numberWidth)} ${symbolOf(commodity)}\n`;
  }
  return lines;
}
